(* What the operations with two fresh segments share: the symbols and columns of both, and the norm of a row's deviation
   from its center, in parts: linear in eps, of norm at most r a, and the rest. *)
Require Import Reals Lra Lia List.
From attcert Require Import sum vector matrix product_remainder form network form_affine.
Import ListNotations.
Open Scope R_scope.

Definition joined_twice (n m : nat) (x y z : vector) : vector := joined (n + m) (joined n x y) z.

Lemma dot_joined_twice n m k x y z eta u v :
  dot (n + m + k) (joined_twice n m x y z) (joined_twice n m eta u v) = dot n x eta + (dot m y u + dot k z v).
Proof. unfold joined_twice. rewrite !dot_with_fresh. ring. Qed.

Lemma joined_twice_older n m x y z k : (k < n)%nat -> joined_twice n m x y z k = x k.
Proof. intros H. unfold joined_twice. rewrite !joined_older by lia. reflexivity. Qed.

Lemma joined_twice_beyond n m d x y z k :
  (n + m + d <= k)%nat -> (forall e, (d <= e)%nat -> z e = 0) -> joined_twice n m x y z k = 0.
Proof. intros. apply (joined_beyond (n + m) d); assumption. Qed.

Lemma within_joined_twice l s t eta u v :
  within l eta -> segment_within s u -> segment_within t v ->
  within (t :: s :: l) (joined_twice (count l) (size s) eta u v).
Proof. intros. apply (within_joined (s :: l)); [apply within_joined |]; assumption. Qed.

(* What a functional of the deviations does, symbol by symbol. *)
Lemma dot_scale_l n a x eta : dot n (fun k => a * x k) eta = a * dot n x eta.
Proof. rewrite dot_symmetric, dot_scale_r, dot_symmetric. reflexivity. Qed.

Lemma dot_plus_l n x y eta : dot n (fun k => x k + y k) eta = dot n x eta + dot n y eta.
Proof. rewrite dot_symmetric, dot_plus_r, (dot_symmetric n eta x), (dot_symmetric n eta y). reflexivity. Qed.

Section Norms.
Variables (p : nat) (r : R).

(* ||z - center - linear eps|| <= other on the whole ball. *)
Definition rest_norm (l : list segment) (f : form) (d : nat) (other : R) : Prop :=
  forall eps eta z, in_ball_of_perturbations p r eps -> within l eta -> holds p (count l) f eps eta z ->
  norm d (fun c => z c - (center f c + dot p (linear f c) eps)) <= other.

(* The norm of what bounds the entries is one such number. *)
Theorem rest_norm_of_entries l f d : (d <= entry_count f)%nat ->
  rest_norm l f d (norm d (fun c => symbol_support l (symbol f c) + radius f c)).
Proof.
  intros Hd eps eta z _ Hl H. apply norm_of_bounds. intros c Hc. specialize (H c ltac:(lia)).
  pose proof (symbol_support_bounds l (symbol f c) eta Hl) as Hs. unfold deviation_of in H.
  apply abs_le_both in H, Hs. apply Rabs_le. lra.
Qed.

(* For any weights s_k > 0: ||sum_k a_k eta_k|| <= ||A diag(s)|| ||(eta_k / s_k)_k||, the ellipsoid of form_norm.c. *)
Theorem ellipsoid_norm d n A s eta a reach :
  0 <= a -> (forall k, (k < n)%nat -> 0 < s k) -> bounded d n (fun c k => A c k * s k) a ->
  norm n (fun k => eta k / s k) <= reach -> norm d (mat_vec n A eta) <= a * reach.
Proof.
  intros Ha Hs HA Hn. pose proof (norm_nonneg n (fun k => eta k / s k)).
  apply norm_le; [apply Rmult_le_pos; lra |].
  rewrite (norm2_ext d _ (mat_vec n (fun c k => A c k * s k) (fun k => eta k / s k))).
  - eapply Rle_trans; [apply HA |]. rewrite Rpow_mult_distr. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
    apply norm2_le_square. assumption.
  - intros c _. apply sum_ext; intros k Hk. specialize (Hs k Hk). field. lra.
Qed.

End Norms.
