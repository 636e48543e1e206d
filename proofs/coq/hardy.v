(* Hardy's inequality for finite sums: the running means of a_1 ... a_n are, in l2, at most twice as long as a itself,

     sum_i A_i^2 <= 4 sum_i a_i^2,     A_i = (a_1 + ... + a_i) / i.

   Proof (Elliott's). With S = a_1 + ... + a_m, A = A_{m+1} and a = a_{m+1} = (m + 1) A - S,

     A^2 - 2 A a + (m + 1) A^2 = 2 A S - m A^2 <= S^2 / m,

   which adds up to sum_i (A_i^2 - 2 A_i a_i) <= - (a_1 + ... + a_n)^2 / n <= 0. So sum A^2 <= 2 sum A a, and
   Cauchy-Schwarz gives (sum A^2)^2 <= 4 sum A^2 sum a^2. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector.
Open Scope R_scope.

Section Hardy.
Variable a : vector.

Definition running_mean (i : nat) : R := sum (S i) a / INR (S i).

Lemma running_mean_step m S x :
  (0 < m)%nat ->
  let A := (S + x) / INR (Datatypes.S m) in
  A ^ 2 - 2 * (A * x) + (S + x) ^ 2 / INR (Datatypes.S m) <= S ^ 2 / INR m.
Proof.
  intros Hm A. assert (H0 : 0 < INR m) by (apply lt_0_INR; assumption).
  assert (E : A * (INR m + 1) = S + x) by (unfold A; rewrite S_INR; field; lra).
  assert (Ex : x = A * (INR m + 1) - S) by lra.
  replace ((S + x) ^ 2 / INR (Datatypes.S m)) with (A ^ 2 * (INR m + 1)) by (rewrite S_INR, <- E; field; lra).
  apply Rmult_le_reg_r with (INR m); [assumption |].
  replace (S ^ 2 / INR m * INR m) with (S ^ 2) by (field; lra).
  rewrite Ex. pose proof (pow2_ge_0 (S - INR m * A)). lra.
Qed.

Lemma hardy_telescope n : sum n (fun i => running_mean i ^ 2 - 2 * (running_mean i * a i)) + sum n a ^ 2 / INR n <= 0.
Proof.
  induction n; [simpl; lra |].
  destruct (Nat.eq_dec n 0) as [-> | Hn].
  - right. unfold running_mean; simpl. field.
  - cbn [sum]. assert (H0 : (0 < n)%nat) by lia.
    pose proof (running_mean_step n (sum n a) (a n) H0) as H. cbv zeta in H.
    change ((sum n a + a n) / INR (S n)) with (running_mean n) in H. lra.
Qed.

Theorem hardy n : sum n (fun i => running_mean i ^ 2) <= 4 * norm2 n a.
Proof.
  assert (H : norm2 n running_mean <= 2 * dot n running_mean a).
  { pose proof (hardy_telescope n) as H. rewrite sum_minus, sum_scale in H.
    assert (0 <= sum n a ^ 2 / INR n).
    { destruct n; [simpl; lra |]. apply Rmult_le_pos; [apply pow2_ge_0 |].
      left; apply Rinv_0_lt_compat; apply lt_0_INR; lia. }
    unfold norm2, dot. lra. }
  change (norm2 n running_mean <= 4 * norm2 n a).
  apply norm2_le_of_square; [pose proof (norm2_nonneg n a); lra |].
  apply Rle_trans with ((2 * dot n running_mean a) ^ 2).
  - apply pow_incr. split; [apply norm2_nonneg | assumption].
  - pose proof (cauchy_schwarz n running_mean a). lra.
Qed.

End Hardy.
