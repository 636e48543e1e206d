(* Traces of W = Q^T K, d x d of rank k at most, from the k x k matrix K Q^T: tr W = tr(K Q^T), tr W^2 = tr((K Q^T)^2).

   The mean and the mean square of W's eigenvalues are tr W / d and tr W^2 / d. Eigenvalues are not spoken of here: for
   any T = U W V with V U = I, on whose diagonal they are where T is triangular, tr T = tr W and tr T^2 = tr W^2. *)
Require Import Reals Lra Lia Arith.
From attcert Require Import sum vector matrix norm.
Open Scope R_scope.

Definition trace (n : nat) (A : matrix) : R := sum n (fun i => A i i).
Definition product (m : nat) (A B : matrix) : matrix := fun i j => sum m (fun l => A i l * B l j).

(* tr(A B) = tr(B A), A n x m and B m x n. *)
Theorem trace_product n m A B : trace n (product m A B) = trace m (product n B A).
Proof.
  unfold trace, product. rewrite sum_swap. apply sum_ext; intros l _. apply sum_ext; intros i _. ring.
Qed.

Lemma product_associative n m A B C i j :
  product n (product m A B) C i j = product m A (product n B C) i j.
Proof.
  unfold product. rewrite (sum_ext n _ (fun l => sum m (fun k => A i k * B k l * C l j)))
    by (intros; apply eq_sym, sum_scale_r).
  rewrite sum_swap. apply sum_ext; intros k _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma product_ext m A A' B B' i j : (forall l, (l < m)%nat -> A i l = A' i l) ->
  (forall l, (l < m)%nat -> B l j = B' l j) -> product m A B i j = product m A' B' i j.
Proof. intros HA HB. apply sum_ext; intros l Hl. rewrite HA, HB by assumption. reflexivity. Qed.

Lemma trace_ext n A B : (forall i, (i < n)%nat -> A i i = B i i) -> trace n A = trace n B.
Proof. apply sum_ext. Qed.

Theorem trace_square_product n m A B :
  trace n (product n (product m A B) (product m A B)) = trace m (product m (product n B A) (product n B A)).
Proof.
  rewrite (trace_ext n _ (product m A (product n B (product m A B)))) by (intros; apply product_associative).
  rewrite trace_product. apply trace_ext. intros i _. rewrite !product_associative.
  apply product_ext; [reflexivity |]. intros l _. apply product_associative.
Qed.

(* T = U W V with V U = I: tr T = tr(V U W), and likewise of the squares. *)
Section Similar.

Variables (d : nat) (U V W : matrix).
Hypothesis inverse : forall i j, (i < d)%nat -> (j < d)%nat -> product d V U i j = if Nat.eqb i j then 1 else 0.

Definition similar : matrix := product d (product d U W) V.

Lemma inverse_product A i j : (i < d)%nat -> product d (product d V U) A i j = A i j.
Proof.
  intros Hi. unfold product at 1. rewrite (sum_ext d _ (fun l => if Nat.eqb i l then A l j else 0)).
  - apply (sum_only d i (fun l => A l j) Hi).
  - intros l Hl. rewrite inverse by assumption. destruct (Nat.eqb i l); ring.
Qed.

Theorem trace_similar : trace d similar = trace d W.
Proof.
  unfold similar. rewrite trace_product. apply trace_ext. intros i Hi.
  rewrite <- product_associative. apply inverse_product. assumption.
Qed.

Theorem trace_square_similar : trace d (product d similar similar) = trace d (product d W W).
Proof.
  unfold similar. rewrite trace_square_product.
  assert (E : forall i j, (i < d)%nat -> product d V (product d U W) i j = W i j).
  { intros i j Hi. rewrite <- product_associative. apply inverse_product. assumption. }
  apply trace_ext. intros i Hi. apply product_ext; intros l Hl; apply E; assumption.
Qed.

End Similar.

(* |tr W^2| <= ||W||_F^2, by Cauchy's inequality. *)
Theorem trace_square_le n W : Rabs (trace n (product n W W)) <= sequence_norm2 n n W.
Proof.
  assert (T : sequence_norm2 n n (transpose W) = sequence_norm2 n n W) by apply sum_swap.
  assert (E : trace n (product n W W) = sequence_dot n n W (transpose W)) by reflexivity.
  rewrite E. eapply Rle_trans; [apply sequence_dot_le_norms |]. unfold sequence_norm at 2. rewrite T.
  fold (sequence_norm n n W). rewrite <- sequence_norm_square. lra.
Qed.
