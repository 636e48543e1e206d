(* Several heads: f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O.

   W_O is cut into its blocks W_1 ... W_H, so that W_O [z^1; ...; z^H] = sum_h W_h z^h, and ||W_O|| <= w says

     || sum_h W_h z^h ||^2 <= w^2 sum_h ||z^h||^2     for all z^1 ... z^H.

   If head h has Lipschitz constant B_h on the ball, then the layer has w sqrt(sum_h B_h^2): all heads read the same X,
   so the squares of what they put out add up. The bounds of the other files are for one head; with this file they are
   for a layer. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz ball unified_bound.
Open Scope R_scope.

(* Without W_O: what the heads put out, `rows` entries each, one after another. *)
Definition concatenated (rows : nat) (Z : nat -> tokens) : tokens := fun i c => Z (c / rows)%nat i (c mod rows)%nat.

Section Heads.
Variables (count n d m : nat) (heads : nat -> head).
Variables (output_matrix : nat -> matrix) (output_bias : vector) (attends : mask).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hwidth : forall h, (h < count)%nat -> width (heads h) = d.

(* W_O [z^1; ...; z^H] *)
Definition output (z : nat -> vector) : vector :=
  fun r => sum count (fun h => mat_vec (rank (heads h)) (output_matrix h) (z h) r).
Definition output_bounded (w : R) : Prop :=
  forall z, norm2 m (output z) <= w ^ 2 * sum count (fun h => norm2 (rank (heads h)) (z h)).

Definition layer (X : tokens) : tokens :=
  fun i r => output (fun h => attention (heads h) n attends X i) r + output_bias r.

(* J xi = (I (x) W_O) [J^1; ...; J^H] xi *)
Definition layer_jacobian_times (X xi : tokens) : tokens :=
  fun i r => output (fun h => jacobian_times (heads h) n attends X xi i) r.

Theorem layer_derivative X xi i r : (i < n)%nat ->
  derivable_pt_lim (fun t => layer (along X xi t) i r) 0 (layer_jacobian_times X xi i r).
Proof.
  intros Hi. eapply derivative_value.
  - apply (derivable_pt_lim_plus (fun t => output (fun h => attention (heads h) n attends (along X xi t) i) r)
      (fun _ => output_bias r)).
    + apply (derivative_sum count
        (fun h t => mat_vec (rank (heads h)) (output_matrix h) (attention (heads h) n attends (along X xi t) i) r)).
      intros h _. apply (derivative_sum (rank (heads h))
        (fun s t => output_matrix h r s * attention (heads h) n attends (along X xi t) i s)).
      intros s _. apply (derivable_pt_lim_scal (fun t => attention (heads h) n attends (along X xi t) i s)).
      apply attention_derivative; assumption.
    + apply derivable_pt_lim_const.
  - unfold layer_jacobian_times, output. rewrite Rplus_0_r. reflexivity.
Qed.

(* What the heads put out, bounded head by head, bounds what the layer puts out. *)
Lemma output_le w (Z : nat -> tokens) (B : nat -> R) N :
  output_bounded w -> (forall h, (h < count)%nat -> sequence_norm2 n (rank (heads h)) (Z h) <= B h ^ 2 * N) ->
  sequence_norm2 n m (fun i => output (fun h => Z h i)) <= (w * sqrt (sum count (fun h => B h ^ 2))) ^ 2 * N.
Proof.
  intros Hw HZ. rewrite Rpow_mult_distr, pow2_sqrt by (apply sum_nonneg; intros; apply pow2_ge_0).
  rewrite Rmult_assoc.
  apply Rle_trans with (w ^ 2 * sum count (fun h => sequence_norm2 n (rank (heads h)) (Z h))).
  - unfold sequence_norm2. rewrite sum_swap, <- sum_scale. apply sum_le; intros i _. apply Hw.
  - apply Rmult_le_compat_l; [apply pow2_ge_0 |]. rewrite <- sum_scale_r. apply sum_le; assumption.
Qed.

Theorem layer_jacobian_bound w (B : nat -> R) X xi :
  output_bounded w -> (forall h, (h < count)%nat -> jacobian_bounded (heads h) n attends X (B h)) ->
  sequence_norm2 n m (layer_jacobian_times X xi)
  <= (w * sqrt (sum count (fun h => B h ^ 2))) ^ 2 * sequence_norm2 n d xi.
Proof.
  intros Hw HB. apply (output_le w (fun h => jacobian_times (heads h) n attends X xi)); [assumption |].
  intros h Hh. rewrite <- (Hwidth h Hh). apply HB; assumption.
Qed.

Theorem layer_lipschitz w (B : nat -> R) R X Y :
  output_bounded w -> (forall h, (h < count)%nat -> lipschitz_on_ball (heads h) n attends R (B h)) ->
  in_ball n d R X -> in_ball n d R Y ->
  sequence_norm2 n m (difference (layer X) (layer Y))
  <= (w * sqrt (sum count (fun h => B h ^ 2))) ^ 2 * sequence_norm2 n d (difference X Y).
Proof.
  intros Hw HB HX HY.
  set (Z := fun h => difference (attention (heads h) n attends X) (attention (heads h) n attends Y)).
  replace (sequence_norm2 n m (difference (layer X) (layer Y)))
    with (sequence_norm2 n m (fun i => output (fun h => Z h i))).
  - apply output_le; [assumption |]. intros h Hh. rewrite <- (Hwidth h Hh) in HX, HY |- *. apply HB; assumption.
  - apply sum_ext; intros i _. apply norm2_ext; intros r _. unfold difference, layer, output.
    replace (sum count (fun h => mat_vec (rank (heads h)) (output_matrix h) (Z h i) r))
      with (sum count (fun h => mat_vec (rank (heads h)) (output_matrix h) (attention (heads h) n attends Y i) r
                                - mat_vec (rank (heads h)) (output_matrix h) (attention (heads h) n attends X i) r)).
    + rewrite sum_minus. ring.
    + apply sum_ext; intros h _. symmetry; apply mat_vec_minus.
Qed.

End Heads.

(* T4 for a layer, with a query bias in each head: head h is bounded by a_h, b_h, v_h (ball.v) and has T4's constant. *)
Definition unified_constant (c a b v r : R) : R := v * (sqrt (c * (1 + (r * (a * r + b)) ^ 2)) + a * r ^ 2).

Theorem layer_unified_unmasked count n d m heads output_matrix output_bias w (a b v : nat -> R) R X Y :
  (forall h, (h < count)%nat -> width (heads h) = d) -> output_bounded count m heads output_matrix w ->
  (forall h, (h < count)%nat -> head_bounds (heads h) (a h) (b h) (v h)) ->
  0 <= R -> in_ball n d R X -> in_ball n d R Y ->
  let c h := Rmin (INR n) (exp (2 * (R * (a h * R + b h)))) in
  sequence_norm2 n m (difference (layer count n heads output_matrix output_bias unmasked X)
                                 (layer count n heads output_matrix output_bias unmasked Y))
  <= (w * sqrt (sum count (fun h => unified_constant (c h) (a h) (b h) (v h) R ^ 2))) ^ 2
     * sequence_norm2 n d (difference X Y).
Proof.
  intros Hd Hw Hh HR HX HY c. eapply layer_lipschitz; try eassumption.
  intros h Hc. apply unified_lipschitz_unmasked; auto.
Qed.

Theorem layer_unified_causal count n d m heads output_matrix output_bias w (a b v : nat -> R) R X Y :
  (forall h, (h < count)%nat -> width (heads h) = d) -> output_bounded count m heads output_matrix w ->
  (forall h, (h < count)%nat -> head_bounds (heads h) (a h) (b h) (v h)) ->
  0 <= R -> in_ball n d R X -> in_ball n d R Y ->
  let c h := Rmin (INR n) ((1 + ln (INR n)) * exp (2 * (R * (a h * R + b h)))) in
  sequence_norm2 n m (difference (layer count n heads output_matrix output_bias causal X)
                                 (layer count n heads output_matrix output_bias causal Y))
  <= (w * sqrt (sum count (fun h => unified_constant (c h) (a h) (b h) (v h) R ^ 2))) ^ 2
     * sequence_norm2 n d (difference X Y).
Proof.
  intros Hd Hw Hh HR HX HY c. eapply layer_lipschitz; try eassumption.
  intros h Hc. apply unified_lipschitz_causal; auto.
Qed.
