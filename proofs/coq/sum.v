(* Finite sums of real numbers.

   sum n f is f 0 + f 1 + ... + f (n - 1), a recursion that takes off the last term, as in spec/matrix/dot.acsl.
   Counting starts at 0, so "j < n" ranges over n indices. Everything later (vectors, matrices, averages, softmax) is
   built from this one function, and every algebraic step later is one of the rules below: equal terms, a sum of two, a
   common factor, exchanging two sums. *)
Require Import Reals Lra Lia.
Open Scope R_scope.

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S m => sum m f + f m
  end.

(* sum_j f_j = sum_j g_j if the terms are equal. *)
Lemma sum_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> sum n f = sum n g.
Proof. induction n; simpl; intros H; [reflexivity |]. rewrite IHn, H; auto. Qed.

Lemma sum_zero n f : (forall j, (j < n)%nat -> f j = 0) -> sum n f = 0.
Proof. induction n; simpl; intros H; [reflexivity |]. rewrite IHn, H; auto; lra. Qed.

(* Linearity. *)
Lemma sum_plus n f g : sum n (fun j => f j + g j) = sum n f + sum n g.
Proof. induction n; simpl; lra. Qed.

Lemma sum_minus n f g : sum n (fun j => f j - g j) = sum n f - sum n g.
Proof. induction n; simpl; lra. Qed.

Lemma sum_scale n a f : sum n (fun j => a * f j) = a * sum n f.
Proof. induction n; simpl; lra. Qed.

Lemma sum_scale_r n a f : sum n (fun j => f j * a) = sum n f * a.
Proof. induction n; simpl; lra. Qed.

Lemma sum_divide n a f : sum n (fun j => f j / a) = sum n f / a.
Proof. apply (sum_scale_r n (/ a)). Qed.

Lemma sum_constant n a : sum n (fun _ => a) = INR n * a.
Proof. induction n; [simpl; lra |]. rewrite S_INR; simpl sum; lra. Qed.

(* Order. *)
Lemma sum_le n f g : (forall j, (j < n)%nat -> f j <= g j) -> sum n f <= sum n g.
Proof. induction n; simpl; intros H; [lra |]. apply Rplus_le_compat; auto. Qed.

Lemma sum_nonneg n f : (forall j, (j < n)%nat -> 0 <= f j) -> 0 <= sum n f.
Proof. intros H. rewrite <- (sum_zero n (fun _ => 0)) by auto. apply sum_le; auto. Qed.

(* A term is at most the sum if no term is negative. *)
Lemma sum_term_le n f i : (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> f i <= sum n f.
Proof.
  induction n; intros H Hi; [lia |]. simpl.
  destruct (Nat.eq_dec i n) as [-> | Hn].
  - pose proof (sum_nonneg n f). assert (0 <= sum n f) by auto. lra.
  - assert (0 <= f n) by auto. assert (f i <= sum n f) by (apply IHn; auto; lia). lra.
Qed.

Lemma sum_positive n f i : (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> 0 < f i -> 0 < sum n f.
Proof. intros H Hi Hf. pose proof (sum_term_le n f i H Hi). lra. Qed.

(* Exchanging two sums: rows first or columns first. *)
Lemma sum_swap n m (f : nat -> nat -> R) :
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n; simpl.
  - symmetry; apply sum_zero; auto.
  - rewrite IHn, <- sum_plus. reflexivity.
Qed.

(* Taking off the first terms. *)
Lemma sum_first m f : sum (S m) f = f 0%nat + sum m (fun j => f (S j)).
Proof. induction m; [simpl; ring |]. cbn [sum] in *. rewrite IHm. ring. Qed.

Lemma sum_first_two m f : sum (S (S m)) f = f 0%nat + f 1%nat + sum m (fun j => f (S (S j))).
Proof. rewrite !sum_first. ring. Qed.

(* A sum with only one term that counts: Kronecker's delta. *)
Lemma sum_only n i f : (i < n)%nat -> sum n (fun j => if Nat.eqb i j then f j else 0) = f i.
Proof.
  induction n; intros Hi; [lia |]. simpl.
  destruct (Nat.eq_dec i n) as [-> | Hn].
  - rewrite Nat.eqb_refl, sum_zero; [lra |].
    intros j Hj. destruct (Nat.eqb_spec n j); [lia | reflexivity].
  - rewrite IHn by lia. destruct (Nat.eqb_spec i n); [lia | lra].
Qed.

(* |sum_j f_j| <= sum_j |f_j|. *)
Lemma sum_abs_le n f : Rabs (sum n f) <= sum n (fun j => Rabs (f j)).
Proof.
  induction n; simpl; [rewrite Rabs_R0; lra |]. eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

(* Blocks of m indices, one after another. *)
Lemma sum_append a b f : sum (a + b) f = sum a f + sum b (fun j => f (a + j)%nat).
Proof. induction b; [rewrite Nat.add_0_r; simpl; ring |]. rewrite Nat.add_succ_r. simpl. rewrite IHb. ring. Qed.

Lemma sum_blocks n m f : sum (n * m) f = sum n (fun i => sum m (fun j => f (i * m + j)%nat)).
Proof. induction n; [reflexivity |]. rewrite Nat.mul_succ_l, sum_append, IHn. reflexivity. Qed.
