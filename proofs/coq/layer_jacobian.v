(* The Jacobian's formula of a layer as spec/real/real_layer_jacobian.acsl has it (`jacobian_entry` of
   layer_direction.v) is the derivative of the layer, with W_O and without, with biases, for any number of heads.

   That file writes the formula for row i alone: over the tokens below `attended`, which i attends to, with W_h V,
   W_h v_j and W_h y_i in the place of V, v_j and y_i, and v_j = V x_j without its bias, as the program has it. The
   files of T1 to T10 have J_il^h of attention.v, for every row and any mask, and heads.v W_O around it. Here the two
   are one:

     with W_O       entry ((i, o), (l, c)) = sum_h sum_r W_O[o, h k + r] J_il^h[r, c]
     without        entry ((i, h k + r), (l, c)) = J_il^h[r, c]

   Both are linear in V, v and y together, so W_h can be taken inside; P_il = 0 beyond the tokens that i attends to; and
   a bias of v is also one of y_i, so that it cancels.
   That J_il^h is the derivative of attention is `attention_derivative`, that W_O keeps it one `layer_derivative`. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian heads layer_direction.
Open Scope R_scope.

Section Formula.
Variables (n d count k attended i : nat) (scale : R) (heads : nat -> head) (attends : mask) (X : tokens).
Hypothesis Hi : (i < attended <= n)%nat.
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hrow : forall l, (l < n)%nat -> attends i l = Nat.ltb l attended.
Hypothesis Hwidth : forall h, (h < count)%nat -> width (heads h) = d.
Hypothesis Hrank : forall h, (h < count)%nat -> rank (heads h) = k.
Hypothesis Hroot : forall h, (h < count)%nat -> root (heads h) = scale.

(* V x_j, and the mean of these. *)
Definition plain_value (h : nat) : tokens := fun j => mat_vec d (value_matrix (heads h)) (X j).
Definition plain_mean (h : nat) : vector := average n (weight (heads h) n attends X i) (plain_value h).

(* What else the formula is made of, head by head. *)
Local Notation p := (fun h => weight (heads h) n attends X i).
Local Notation q := (fun h => query (heads h) X i).
Local Notation keys := (fun h => key (heads h) X).
Local Notation wq := (fun h => query_matrix (heads h)).
Local Notation wk := (fun h => key_matrix (heads h)).
Local Notation wv := (fun h => value_matrix (heads h)).

(* Row i of it, at X. *)
Definition formula (weighted : bool) (out : nat) (wo : matrix) : nat -> nat -> nat -> R :=
  jacobian_entry count k out attended i weighted scale p q keys plain_value plain_mean wq wk wv wo.

(* W_h, columns h k ... h k + k - 1 of W_O *)
Definition output_part (wo : matrix) (h : nat) : matrix := fun o r => wo o (h * k + r)%nat.

(* ---- One head ---- *)

Lemma beyond_attended h l : (attended <= l < n)%nat -> weight (heads h) n attends X i l = 0.
Proof.
  intros Hl. unfold weight, exp_score. rewrite Hrow, (proj2 (Nat.ltb_ge l attended)) by lia. unfold Rdiv. ring.
Qed.

Lemma sum_attended h (f : nat -> R) :
  sum n (fun l => weight (heads h) n attends X i l * f l)
  = sum attended (fun l => weight (heads h) n attends X i l * f l).
Proof.
  replace n with (attended + (n - attended))%nat at 1 by lia.
  rewrite sum_append, (sum_zero (n - attended)); [ring |].
  intros l Hl. rewrite beyond_attended by lia. ring.
Qed.

Lemma value_bias_cancels h l r : (h < count)%nat ->
  value (heads h) X l r - attention (heads h) n attends X i r = plain_value h l r - plain_mean h r.
Proof.
  intros Hh. unfold value, attention, plain_mean, average. rewrite Hwidth by assumption.
  destruct (weight_probability (heads h) n attends Hmask X i) as [_ Hsum]; [lia |].
  rewrite (sum_ext n _ (fun j => weight (heads h) n attends X i j * plain_value h j r
                                 + weight (heads h) n attends X i j * value_bias (heads h) r)).
  - rewrite sum_plus, sum_scale_r, Hsum. unfold plain_value. ring.
  - intros j _. unfold value, plain_value. rewrite Hwidth by assumption. ring.
Qed.

Lemma gradient_is_key_gradient h c : (h < count)%nat ->
  gradient k scale (query (heads h) X i) (key_matrix (heads h)) c = key_gradient (heads h) X i c.
Proof.
  intros Hh. unfold key_gradient, mat_vec. rewrite Hrank, Hroot by assumption. rewrite dot_symmetric. reflexivity.
Qed.

Lemma gradient_is_query_gradient h j c : (h < count)%nat ->
  gradient k scale (key (heads h) X j) (query_matrix (heads h)) c = query_gradient (heads h) X j c.
Proof.
  intros Hh. unfold query_gradient, mat_vec. rewrite Hrank, Hroot by assumption. rewrite dot_symmetric. reflexivity.
Qed.

(* W_h J_il^h, or J_il^h. *)
Lemma block_is_jacobian weighted wo h l o c : (h < count)%nat -> (l < attended)%nat ->
  block k attended i weighted scale p q keys plain_value plain_mean wq wk wv wo h l o c
  = through k weighted wo h (fun r => jacobian (heads h) n attends X i l r c) o.
Proof.
  intros Hh Hl. unfold block. rewrite gradient_is_key_gradient by assumption.
  set (P := weight (heads h) n attends X i). set (v := plain_value h). set (m := plain_mean h).
  assert (Hcovariance :
    sum attended (fun j => P j * (through k weighted wo h (v j) o - through k weighted wo h m o) *
                           gradient k scale (key (heads h) X j) (query_matrix (heads h)) c)
    = through k weighted wo h (fun r => covariance (heads h) n attends X i r c) o).
  { rewrite (through_ext k weighted wo h (fun r => covariance (heads h) n attends X i r c)
      (fun r => sum attended (fun j => P j * (query_gradient (heads h) X j c * (v j r - m r))))).
    - rewrite (through_linear k weighted wo h P (fun j r => query_gradient (heads h) X j c * (v j r - m r))).
      apply sum_ext; intros j _. rewrite gradient_is_query_gradient, through_scale, through_minus by assumption. ring.
    - intros r. unfold P. rewrite <- (sum_attended h (fun j => query_gradient (heads h) X j c * (v j r - m r))).
      apply sum_ext; intros j _. rewrite value_bias_cancels by assumption. fold v m. ring. }
  rewrite Hcovariance, Nat.eqb_sym.
  rewrite (through_ext k weighted wo h (fun r => jacobian (heads h) n attends X i l r c)
    (fun r => P l * (value_matrix (heads h) r c + key_gradient (heads h) X i c * (v l r - m r))
              + (if Nat.eqb i l then 1 else 0) * covariance (heads h) n attends X i r c)).
  - rewrite through_plus, !through_scale, through_plus, through_scale, through_minus. destruct (Nat.eqb i l); ring.
  - intros r. unfold jacobian. rewrite value_bias_cancels by assumption. fold P v m. destruct (Nat.eqb i l); ring.
Qed.

(* Where i does not attend to l, the block is 0. *)
Lemma jacobian_beyond h l r c : (attended <= l < n)%nat -> jacobian (heads h) n attends X i l r c = 0.
Proof.
  intros Hl. unfold jacobian. rewrite beyond_attended by assumption. destruct (Nat.eqb_spec i l); [lia | ring].
Qed.

Lemma share_is_jacobian weighted out wo h l o c : (h < count)%nat -> (l < n)%nat ->
  (first k weighted h <= o < first k weighted h + height k out weighted)%nat ->
  share k out attended i weighted scale p q keys plain_value plain_mean wq wk wv wo o l c h
  = through k weighted wo h (fun r => jacobian (heads h) n attends X i l r c) (o - first k weighted h)%nat.
Proof.
  intros Hh Hl Ho. unfold share. rewrite (proj2 (Nat.leb_le _ o)), (proj2 (Nat.ltb_lt o _)), Bool.andb_true_r by lia.
  destruct (Nat.ltb_spec l attended); [apply block_is_jacobian; assumption |].
  rewrite (through_ext k weighted wo h _ (fun _ => 0 * 0)) by (intros; rewrite jacobian_beyond by lia; ring).
  rewrite through_scale. ring.
Qed.

(* ---- The two formulas are one ---- *)

Theorem formula_is_layer_jacobian out wo o l c : (o < out)%nat -> (l < n)%nat ->
  formula true out wo o l c
  = sum count (fun h => mat_vec k (output_part wo h) (fun r => jacobian (heads h) n attends X i l r c) o).
Proof.
  intros Ho Hl. apply sum_ext; intros h Hh. rewrite share_is_jacobian by (assumption || cbn; lia).
  cbn [first]. rewrite Nat.sub_0_r. unfold through, mat_vec. apply dot_symmetric.
Qed.

Theorem formula_is_head_jacobian out wo h r l c : (h < count)%nat -> (r < k)%nat -> (l < n)%nat ->
  formula false out wo (h * k + r) l c = jacobian (heads h) n attends X i l r c.
Proof.
  intros Hh Hr Hl. unfold formula, jacobian_entry.
  rewrite (sum_ext count _ (fun g => if Nat.eqb h g then jacobian (heads g) n attends X i l r c else 0)).
  - apply (sum_only count h (fun g => jacobian (heads g) n attends X i l r c)); assumption.
  - intros g Hg. destruct (Nat.eqb_spec h g) as [<- | Hne].
    + rewrite share_is_jacobian by (assumption || (unfold first, height; lia)). unfold through, first.
      f_equal. lia.
    + unfold share, first, height.
      destruct (Nat.leb_spec (g * k) (h * k + r)); [| rewrite Bool.andb_false_r; reflexivity].
      destruct (Nat.ltb_spec (h * k + r) (g * k + k)); [| rewrite Bool.andb_false_r; reflexivity].
      exfalso. apply Hne. assert (h <= g)%nat by nia. assert (g <= h)%nat by nia. lia.
Qed.

(* ---- and the derivative. a is row (i, o) of the matrix, flat the direction u, token by token. ---- *)
Variables (u : tokens) (a flat : vector).
Hypothesis Hflat : forall l c, (l < n)%nat -> (c < d)%nat -> flat (l * d + c)%nat = u l c.

Lemma row_times (entry : nat -> nat -> R) :
  (forall l c, (l < n)%nat -> (c < d)%nat -> a (l * d + c)%nat = entry l c) ->
  dot (n * d) a flat = sum n (fun l => dot d (entry l) (u l)).
Proof.
  intros Ha. unfold dot at 1. rewrite sum_blocks. apply sum_ext; intros l Hl. apply sum_ext; intros c Hc.
  rewrite Ha, Hflat by assumption. reflexivity.
Qed.

Theorem layer_jacobian_is_derivative out wo bias o : (o < out)%nat ->
  (forall l c, (l < n)%nat -> (c < d)%nat -> a (l * d + c)%nat = formula true out wo o l c) ->
  derivable_pt_lim (fun t => layer count n heads (output_part wo) bias attends (along X u t) i o) 0
    (dot (n * d) a flat).
Proof.
  intros Ho Ha. eapply derivative_value; [apply layer_derivative; [assumption | lia] |].
  rewrite (row_times _ Ha). unfold layer_jacobian_times, output, jacobian_times.
  rewrite (sum_ext n _ (fun l => sum count (fun h => sum k (fun r =>
    output_part wo h o r * mat_vec d (jacobian (heads h) n attends X i l) (u l) r)))).
  - rewrite sum_swap. apply sum_ext; intros h Hh. rewrite sum_swap. unfold mat_vec at 1. unfold dot at 1.
    rewrite Hrank by assumption. apply sum_ext; intros r _. rewrite Hwidth by assumption. symmetry. apply sum_scale.
  - intros l Hl.
    rewrite (dot_ext d _ (fun c => sum count (fun h => sum k (fun r =>
      output_part wo h o r * jacobian (heads h) n attends X i l r c))) _ (u l)) by
      (reflexivity || (intros; apply formula_is_layer_jacobian; assumption)).
    rewrite dot_symmetric. unfold dot.
    rewrite (sum_ext d _ (fun c => sum count (fun h => sum k (fun r =>
      output_part wo h o r * (jacobian (heads h) n attends X i l r c * u l c))))).
    + rewrite sum_swap. apply sum_ext; intros h _. rewrite sum_swap. apply sum_ext; intros r _. apply sum_scale.
    + intros c _. rewrite <- sum_scale. apply sum_ext; intros h _. rewrite <- sum_scale. apply sum_ext; intros. ring.
Qed.

Theorem concatenated_jacobian_is_derivative out wo o : (o < count * k)%nat ->
  (forall l c, (l < n)%nat -> (c < d)%nat -> a (l * d + c)%nat = formula false out wo o l c) ->
  derivable_pt_lim (fun t => concatenated k (fun h => attention (heads h) n attends (along X u t)) i o) 0
    (dot (n * d) a flat).
Proof.
  intros Ho Ha. assert (Hk : (0 < k)%nat) by lia.
  assert (Hh : (o / k < count)%nat) by (apply Nat.div_lt_upper_bound; lia).
  assert (Hr : (o mod k < k)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (Hsplit : o = (o / k * k + o mod k)%nat) by (rewrite Nat.mul_comm; apply Nat.div_mod; lia).
  unfold concatenated. eapply derivative_value; [apply attention_derivative; [assumption | lia] |].
  rewrite (row_times _ Ha). unfold jacobian_times. rewrite Hwidth by assumption.
  apply sum_ext; intros l Hl. apply dot_ext; [| reflexivity]. intros c _.
  rewrite Hsplit at 3. symmetry. apply formula_is_head_jacobian; assumption.
Qed.

End Formula.

(* The two masks of a layer (spec/attention/attended_keys.acsl) have rows as Hrow asks for. *)
Lemma unmasked_row n i l : (l < n)%nat -> unmasked i l = Nat.ltb l n.
Proof. intros Hl. symmetry. apply Nat.ltb_lt. assumption. Qed.

Lemma causal_row i l : causal i l = Nat.ltb l (S i).
Proof. unfold causal. destruct (Nat.leb_spec l i), (Nat.ltb_spec l (S i)); reflexivity || lia. Qed.
