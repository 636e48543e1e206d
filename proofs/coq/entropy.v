(* The entropy of a row of attention, H(p) = - sum_j p_j ln p_j: at most ln n, and ln n for the uniform row alone.

   Proof. ln x <= x - 1, with equality for x = 1 alone, gives -p ln p <= p ln n + 1/n - p for p >= 0, with equality for
   p = 1/n alone; these sum to ln n + 1 - 1. (Coq's ln 0 is 0, so 0 ln 0 = 0.) *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector.
Open Scope R_scope.

Definition entropy (n : nat) (p : vector) : R := - sum n (fun j => p j * ln (p j)).

Lemma ln_below_line x : 0 < x -> ln x <= x - 1.
Proof.
  intros H. destruct (Req_dec (ln x) 0) as [E | E].
  - rewrite E. rewrite <- (exp_ln x H), E, exp_0. lra.
  - pose proof (exp_ineq1 (ln x) E). rewrite exp_ln in * by assumption. lra.
Qed.

Lemma ln_on_line x : 0 < x -> ln x = x - 1 -> x = 1.
Proof.
  intros H E. destruct (Req_dec (ln x) 0) as [E0 | E0]; [lra |].
  pose proof (exp_ineq1 (ln x) E0). rewrite exp_ln in * by assumption. lra.
Qed.

Lemma entropy_term_gap n p : (0 < n)%nat -> 0 < p ->
  p * ln (INR n) + / INR n - p - - (p * ln p) = p * (/ (INR n * p) - 1 - ln (/ (INR n * p))).
Proof.
  intros Hn Hp. apply lt_INR in Hn. simpl in Hn.
  rewrite ln_Rinv by (apply Rmult_lt_0_compat; assumption). rewrite ln_mult by assumption. field. lra.
Qed.

Lemma entropy_term n p : (0 < n)%nat -> 0 <= p -> - (p * ln p) <= p * ln (INR n) + / INR n - p.
Proof.
  intros Hn Hp. pose proof (lt_INR _ _ Hn) as H. simpl in H.
  assert (0 < / INR n) by (apply Rinv_0_lt_compat; assumption).
  destruct Hp as [Hp | <-]; [| lra].
  pose proof (entropy_term_gap n p Hn Hp).
  assert (P : 0 < / (INR n * p)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption).
  pose proof (ln_below_line _ P).
  assert (0 <= p * (/ (INR n * p) - 1 - ln (/ (INR n * p)))) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma entropy_term_equal n p : (0 < n)%nat -> 0 <= p -> - (p * ln p) = p * ln (INR n) + / INR n - p -> p = / INR n.
Proof.
  intros Hn Hp E. pose proof (lt_INR _ _ Hn) as H. simpl in H.
  assert (0 < / INR n) by (apply Rinv_0_lt_compat; assumption).
  destruct Hp as [Hp | <-]; [| lra].
  pose proof (entropy_term_gap n p Hn Hp) as G.
  assert (P : 0 < / (INR n * p)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption).
  assert (Z : / (INR n * p) - 1 - ln (/ (INR n * p)) = 0).
  { apply Rmult_eq_reg_l with p; lra. }
  assert (U : / (INR n * p) = 1) by (apply ln_on_line; [assumption | lra]).
  apply Rmult_eq_reg_l with (INR n); [| lra]. rewrite Rinv_r by lra.
  rewrite <- (Rinv_inv (INR n * p)), U. lra.
Qed.

Lemma sum_of_bounds n p : (0 < n)%nat -> sum n p = 1 ->
  sum n (fun j => p j * ln (INR n) + / INR n - p j) = ln (INR n).
Proof.
  intros Hn Hp. apply lt_INR in Hn. simpl in Hn.
  rewrite sum_minus, sum_plus, sum_scale_r, sum_constant, Hp. field. lra.
Qed.

Theorem entropy_le n p : (0 < n)%nat -> (forall j, (j < n)%nat -> 0 <= p j) -> sum n p = 1 ->
  entropy n p <= ln (INR n).
Proof.
  intros Hn Hp H1. rewrite <- (sum_of_bounds n p Hn H1). unfold entropy.
  apply Rle_trans with (sum n (fun j => - (p j * ln (p j)))).
  - right. rewrite (sum_ext n (fun j => - (p j * ln (p j))) (fun j => -1 * (p j * ln (p j)))) by (intros; ring).
    rewrite sum_scale. ring.
  - apply sum_le. intros j Hj. apply entropy_term; auto.
Qed.

Lemma equal_terms n f g : (forall j, (j < n)%nat -> f j <= g j) -> sum n f = sum n g ->
  forall j, (j < n)%nat -> f j = g j.
Proof.
  intros H E j Hj. pose proof (H j Hj).
  assert (D : forall i, (i < n)%nat -> 0 <= g i - f i) by (intros i Hi; specialize (H i Hi); lra).
  pose proof (sum_term_le n (fun i => g i - f i) j D Hj) as T. rewrite sum_minus in T. lra.
Qed.

Theorem entropy_equal n p : (0 < n)%nat -> (forall j, (j < n)%nat -> 0 <= p j) -> sum n p = 1 ->
  entropy n p = ln (INR n) -> forall j, (j < n)%nat -> p j = / INR n.
Proof.
  intros Hn Hp H1 E j Hj. apply entropy_term_equal; auto.
  apply (equal_terms n (fun j => - (p j * ln (p j))) (fun j => p j * ln (INR n) + / INR n - p j)); auto.
  - intros i Hi. apply entropy_term; auto.
  - rewrite sum_of_bounds by assumption. rewrite <- E. unfold entropy.
    rewrite (sum_ext n (fun j => - (p j * ln (p j))) (fun j => -1 * (p j * ln (p j)))) by (intros; ring).
    rewrite sum_scale. ring.
Qed.

(* No entry above 1, none negative: the entropy is not either. *)
Theorem entropy_nonneg n p : (forall j, (j < n)%nat -> 0 <= p j <= 1) -> 0 <= entropy n p.
Proof.
  intros Hp. unfold entropy.
  assert (sum n (fun j => p j * ln (p j)) <= sum n (fun _ => 0)); [| rewrite (sum_constant n 0) in *; lra].
  apply sum_le. intros j Hj. destruct (Hp j Hj) as [[H0 | <-] H1]; [| lra].
  pose proof (ln_below_line (p j) H0). nra.
Qed.
