(* T11, all together: with T_h(tau) the bound of ball_curvature.v for head h, for every E of the region of radius r_s

     ||D_{X+E} f|| <= ||D_X f|| + root sum_k (r_{k+1} - r_k) sum_h T_h(tau_k),     tau_k >= r_{k+1},

   root = 1 on the sequence's ball and the square root of the number of moving tokens on the tokens'; where the heads'
   outputs lie side by side, (sum_h T_h^2)^{1/2} for sum_h T_h. src/ball/ball_upper.c evaluates it on equal
   steps, tau_k the double above r_{k+1}. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz heads.
From attcert Require Import softmax_mean second_derivative norm growth layer_growth curvature_terms.
From attcert Require Import region_change ball_geometry ball_change ball_curvature.
Open Scope R_scope.

Definition ball_root (kind : ball_kind) (moving : nat -> bool) (n : nat) : R :=
  match kind with sequence_kind => 1 | token_kind => sqrt (moving_count moving n) end.

Lemma ball_family kind moving n d : region_family moving n d (ball_root kind moving n) (ball kind moving n d).
Proof. destruct kind; [apply sequence_ball_family | apply token_ball_family]. Qed.

Lemma ball_root_nonneg kind moving n : 0 <= ball_root kind moving n.
Proof. destruct kind; [simpl; lra | apply sqrt_pos]. Qed.

(* Without W_O a head's output stays as it is. *)
Definition identity : matrix := fun r c => if Nat.eqb r c then 1 else 0.

Lemma identity_times m z r : (r < m)%nat -> mat_vec m identity z r = z r.
Proof.
  intros Hr. unfold mat_vec, dot, identity. rewrite <- (sum_only m r z Hr). apply sum_ext; intros c _.
  destruct (Nat.eqb r c); ring.
Qed.

Section Layer.
Variables (moving : nat -> bool) (kind : ball_kind) (count n d : nat) (heads : nat -> head) (attends : mask).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hwidth : forall h, (h < count)%nat -> width (heads h) = d.
Variables (X : tokens) (g : nat -> geometry) (s : nat) (r tau : nat -> R).
Variable N : nat -> nat -> norms.
Hypothesis Hr : step_radii s r.
Hypothesis Htau : forall k, (k < s)%nat -> r (S k) <= tau k.
Hypothesis HN : forall h k, (h < count)%nat -> (k < s)%nat -> norms_hold moving kind n (g h) (tau k) (N h k).

(* T_h(tau_k) *)
Definition step_bound (h k : nat) : R := curvature_bound moving kind n (g h) (tau k) (N h k).

Lemma step_radius_nonneg k : (k <= s)%nat -> 0 <= r k.
Proof.
  destruct Hr as (H0 & _ & Hstep). induction k; intros Hk; [lra |].
  eapply Rle_trans; [apply IHk; lia | apply Hstep; lia].
Qed.

Lemma tau_nonneg k : (k < s)%nat -> 0 <= tau k.
Proof. intros Hk. eapply Rle_trans; [apply (step_radius_nonneg (S k)); lia | auto]. Qed.

Lemma in_larger_ball k D : (k < s)%nat -> ball kind moving n d (r (S k)) D -> ball kind moving n d (tau k) D.
Proof.
  intros Hk. apply (region_larger _ _ _ _ _ (ball_family kind moving n d)).
  split; [apply step_radius_nonneg; lia | auto].
Qed.

Theorem ball_growth m output_matrix L E :
  (forall h, (h < count)%nat -> geometry_holds moving kind (heads h) n attends m (output_matrix h) X (g h)) ->
  0 <= L -> ball kind moving n d (r s) E ->
  derivative_bounded n d m (layer_jacobian_times count n heads output_matrix attends X) L ->
  derivative_bounded n d m (layer_jacobian_times count n heads output_matrix attends (displaced X E))
    (L + growth (ball_root kind moving n) s r (fun k => sum count (fun h => step_bound h k))).
Proof.
  intros Hg HL HE HX.
  apply (layer_growth moving count n d heads attends) with (region := ball kind moving n d);
    auto using ball_family, ball_root_nonneg.
  - intros h k Hh Hk.
    apply (curvature_bound_nonneg moving kind (heads h) n attends m (output_matrix h) X); auto using tau_nonneg.
  - intros h k D Hh Hk HD. pose proof (Hwidth h Hh) as Hd.
    pose proof (ball_curvature moving kind (heads h) n attends m (output_matrix h) X (g h) (tau k) (N h k) Hmask
      (tau_nonneg k Hk) (Hg h Hh) (HN h k Hh Hk) D) as H.
    rewrite Hd in H. exact (H (in_larger_ball k D Hk HD)).
Qed.

Theorem concatenated_ball_growth rows L E : (0 < rows)%nat ->
  (forall h, (h < count)%nat -> rank (heads h) = rows) ->
  (forall h, (h < count)%nat -> geometry_holds moving kind (heads h) n attends rows identity X (g h)) ->
  0 <= L -> ball kind moving n d (r s) E ->
  derivative_bounded n d (count * rows)
    (fun F => concatenated rows (fun h => jacobian_times (heads h) n attends X F)) L ->
  derivative_bounded n d (count * rows)
    (fun F => concatenated rows (fun h => jacobian_times (heads h) n attends (displaced X E) F))
    (L + growth (ball_root kind moving n) s r (fun k => sqrt (sum count (fun h => step_bound h k ^ 2)))).
Proof.
  intros Hrows Hrank Hg HL HE HX.
  apply (concatenated_growth moving count n d heads attends) with (region := ball kind moving n d);
    auto using ball_family, ball_root_nonneg.
  intros h k D Hh Hk HD U E' F HE'. pose proof (Hwidth h Hh) as Hd.
  pose proof (ball_curvature moving kind (heads h) n attends rows identity X (g h) (tau k) (N h k) Hmask
      (tau_nonneg k Hk) (Hg h Hh) (HN h k Hh Hk) D) as H.
  rewrite Hd, (Hrank h Hh) in H. eapply Rle_trans; [right | apply (H (in_larger_ball k D Hk HD) U E' F HE')].
  f_equal. apply sum_ext; intros i _. apply dot_ext; [reflexivity |]. intros c Hc. symmetry.
  apply identity_times; assumption.
Qed.

End Layer.
