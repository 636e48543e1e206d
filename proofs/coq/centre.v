(* Balls with a centre: tokens in the ball of radius R about m.

   With x = m + x', Q x + b_Q = Q x' + (b_Q + Q m), and the same for keys and values. So a head on tokens about m is the
   head with the biases b_Q + Q m, b_K + K m, b_V + V m on tokens about 0, with the same outputs, the same P and the
   same Jacobian. Every bound of the other files may therefore use any ball that holds the tokens, with
   b >= ||K^T (b_Q + Q m) / root||. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz.
Open Scope R_scope.

Definition recentre (h : head) (m : vector) : head :=
  Head (width h) (rank h) (query_matrix h) (key_matrix h) (value_matrix h)
    (fun r => query_bias h r + mat_vec (width h) (query_matrix h) m r)
    (fun r => key_bias h r + mat_vec (width h) (key_matrix h) m r)
    (fun r => value_bias h r + mat_vec (width h) (value_matrix h) m r) (root h).

Definition relative (m : vector) (X : tokens) : tokens := fun j c => X j c - m c.

Section Centre.
Variables (h : head) (n : nat) (attends : mask) (m : vector) (X : tokens).
Local Notation h' := (recentre h m).
Local Notation X' := (relative m X).

Lemma affine_recentre M b j r :
  mat_vec (width h) M (X' j) r + (b r + mat_vec (width h) M m r) = mat_vec (width h) M (X j) r + b r.
Proof. unfold relative. rewrite mat_vec_minus. ring. Qed.

Lemma score_recentre i j : score h' X' i j = score h X i j.
Proof. unfold score; simpl. f_equal. apply dot_ext; intros; apply affine_recentre. Qed.

Lemma weight_recentre i j : weight h' n attends X' i j = weight h n attends X i j.
Proof.
  assert (E : forall l, exp_score h' attends X' i l = exp_score h attends X i l)
    by (intros; unfold exp_score; rewrite score_recentre; reflexivity).
  unfold weight. rewrite E. f_equal. apply sum_ext; auto.
Qed.

Theorem attention_recentre i r : attention h' n attends X' i r = attention h n attends X i r.
Proof.
  unfold attention, average. apply sum_ext; intros j _. rewrite weight_recentre. f_equal. apply affine_recentre.
Qed.

Theorem jacobian_recentre i l r c : jacobian h' n attends X' i l r c = jacobian h n attends X i l r c.
Proof.
  assert (G : forall j e, key_gradient h' X' j e = key_gradient h X j e).
  { intros. unfold key_gradient; simpl. f_equal. apply dot_ext; [reflexivity | intros; apply affine_recentre]. }
  assert (H : forall j e, query_gradient h' X' j e = query_gradient h X j e).
  { intros. unfold query_gradient; simpl. f_equal. apply dot_ext; [reflexivity | intros; apply affine_recentre]. }
  assert (V : forall j, value h' X' j r = value h X j r) by (intros; apply affine_recentre).
  unfold jacobian. rewrite weight_recentre, G, V, attention_recentre. f_equal.
  destruct (Nat.eqb i l); [| reflexivity].
  unfold covariance. apply sum_ext; intros j _. rewrite weight_recentre, V, attention_recentre, H. reflexivity.
Qed.

Corollary jacobian_bounded_recentre L : jacobian_bounded h' n attends X' L -> jacobian_bounded h n attends X L.
Proof.
  intros H xi. eapply Rle_trans; [right | apply (H xi)].
  apply sum_ext; intros i _. apply norm2_ext; intros r _. apply sum_ext; intros l _.
  apply sum_ext; intros c _. rewrite jacobian_recentre. reflexivity.
Qed.

End Centre.
