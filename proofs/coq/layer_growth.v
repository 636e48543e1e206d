(* T11 for a layer: the heads' bounds of the second derivative add up, and where the heads' outputs lie side by side
   (no W_O), so do their squares:

     T = sum_h T_h,     T = (sum_h T_h^2)^{1/2}.

   The second, since |U . D^2 f[E, F]| = |sum_h U_h . D^2 f_h[E, F]| <= sum_h T_h ||U_h|| ||E|| ||F||. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz heads.
From attcert Require Import softmax_mean second_derivative norm growth.
Open Scope R_scope.

Section Layer.
Variables (moving : nat -> bool) (count n d : nat) (heads : nat -> head) (attends : mask).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hwidth : forall h, (h < count)%nat -> width (heads h) = d.
Variables (root : R) (region : R -> tokens -> Prop).
Hypothesis Hregion : region_family moving n d root region.
Hypothesis Hroot : 0 <= root.
Variables (X : tokens) (s : nat) (r : nat -> R) (T : nat -> nat -> R).
Hypothesis Hr : step_radii s r.
Hypothesis HT0 : forall h k, (h < count)%nat -> (k < s)%nat -> 0 <= T h k.

(* ---- With W_O ---- *)
Section Output.
Variables (m : nat) (output_matrix : nat -> matrix).

(* W_h D^2 f_h[E, F] *)
Definition projected_second_derivative (h : nat) (Y E F : tokens) : tokens :=
  fun i c => mat_vec (rank (heads h)) (output_matrix h) (second_derivative (heads h) n attends Y E F i) c.

Theorem layer_growth L E :
  (forall h k D, (h < count)%nat -> (k < s)%nat -> region (r (S k)) D ->
     bilinear_bounded moving n d m (projected_second_derivative h (displaced X D)) (T h k)) ->
  0 <= L -> region (r s) E ->
  derivative_bounded n d m (layer_jacobian_times count n heads output_matrix attends X) L ->
  derivative_bounded n d m (layer_jacobian_times count n heads output_matrix attends (displaced X E))
    (L + growth root s r (fun k => sum count (fun h => T h k))).
Proof.
  intros HT HL HE HX. destruct Hr as (Hr0 & Hrs & Hstep).
  apply (growth_from_curvature moving n d m (layer_jacobian_times count n heads output_matrix attends)
    (fun Y E F i c => sum count (fun h => projected_second_derivative h Y E F i c))) with (region := region); auto.
  - intros Y E' F i c t Hi Hc. unfold layer_jacobian_times, output.
    apply (derivative_sum count (fun h u => mat_vec (rank (heads h)) (output_matrix h)
      (jacobian_times (heads h) n attends (along Y E' u) F i) c)).
    intros h _. apply (derivative_sum (rank (heads h)) (fun e u => output_matrix h c e *
      jacobian_times (heads h) n attends (along Y E' u) F i e)).
    intros e _. apply (derivable_pt_lim_scal (fun u => jacobian_times (heads h) n attends (along Y E' u) F i e)).
    apply second_derivative_along; assumption.
  - intros k Hk. apply sum_nonneg; auto.
  - intros k D Hk HD U E' F Hm.
    assert (Split : sequence_dot n m U (fun i c => sum count (fun h =>
        projected_second_derivative h (displaced X D) E' F i c))
      = sum count (fun h => sequence_dot n m U (projected_second_derivative h (displaced X D) E' F))).
    { symmetry. unfold sequence_dot. rewrite sum_swap. apply sum_ext; intros i _. unfold dot. rewrite sum_swap.
      apply sum_ext; intros c _. apply sum_scale. }
    rewrite Split, <- sum_scale_r. eapply Rle_trans; [apply sum_abs_le |]. apply sum_le; intros h Hh.
    apply (HT h k D Hh Hk HD); assumption.
Qed.

End Output.

(* ---- Without ---- *)
Section Concatenated.
Variable rows : nat.
Hypothesis Hrank : forall h, (h < count)%nat -> rank (heads h) = rows.
Hypothesis Hrows : (0 < rows)%nat.

(* The coordinates of head h. *)
Definition part (U : tokens) (h : nat) : tokens := fun i c => U i (h * rows + c)%nat.

Lemma concatenated_dot U Z :
  sequence_dot n (count * rows) U (concatenated rows Z) = sum count (fun h => sequence_dot n rows (part U h) (Z h)).
Proof.
  symmetry. unfold sequence_dot. rewrite sum_swap. apply sum_ext; intros i _. unfold dot.
  rewrite sum_blocks. apply sum_ext; intros h _. apply sum_ext; intros c Hc. unfold concatenated, part.
  rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia.
  rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

Lemma part_norm2 U : sum count (fun h => sequence_norm2 n rows (part U h)) = sequence_norm2 n (count * rows) U.
Proof.
  unfold sequence_norm2. rewrite sum_swap. apply sum_ext; intros i _. unfold norm2. rewrite sum_blocks. reflexivity.
Qed.

Theorem concatenated_growth L E :
  (forall h k D, (h < count)%nat -> (k < s)%nat -> region (r (S k)) D ->
     bilinear_bounded moving n d rows (second_derivative (heads h) n attends (displaced X D)) (T h k)) ->
  0 <= L -> region (r s) E ->
  derivative_bounded n d (count * rows) (fun F => concatenated rows (fun h => jacobian_times (heads h) n attends X F)) L ->
  derivative_bounded n d (count * rows)
    (fun F => concatenated rows (fun h => jacobian_times (heads h) n attends (displaced X E) F))
    (L + growth root s r (fun k => sqrt (sum count (fun h => T h k ^ 2)))).
Proof.
  intros HT HL HE HX. destruct Hr as (Hr0 & Hrs & Hstep).
  apply (growth_from_curvature moving n d (count * rows)
    (fun Y F => concatenated rows (fun h => jacobian_times (heads h) n attends Y F))
    (fun Y E F => concatenated rows (fun h => second_derivative (heads h) n attends Y E F))) with (region := region); auto.
  - intros Y E' F i c t Hi Hc. unfold concatenated. apply second_derivative_along; assumption.
  - intros k Hk. apply sqrt_pos.
  - intros k D Hk HD U E' F Hm. rewrite concatenated_dot.
    set (e := sequence_norm n d E'). set (f := sequence_norm n d F).
    assert (He : 0 <= e) by apply sequence_norm_nonneg. assert (Hf : 0 <= f) by apply sequence_norm_nonneg.
    apply Rle_trans with (dot count (fun h => T h k) (fun h => sequence_norm n rows (part U h)) * (e * f)).
    + eapply Rle_trans; [apply sum_abs_le |]. unfold dot. rewrite <- sum_scale_r. apply sum_le; intros h Hh.
      eapply Rle_trans; [apply (HT h k D Hh Hk HD); assumption |]. right. unfold e, f. ring.
    + rewrite (Rmult_assoc (sequence_norm n (count * rows) U)), <- (Rmult_assoc (sqrt _)).
      apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption |].
      eapply Rle_trans; [apply Rle_abs | eapply Rle_trans; [apply dot_le_norms |]].
      apply Rmult_le_compat_l; [apply norm_nonneg |]. unfold norm, sequence_norm at 2. apply sqrt_le_1_alt. right.
      rewrite <- part_norm2. apply sum_ext; intros h _. apply sequence_norm_square.
Qed.

End Concatenated.
End Layer.
