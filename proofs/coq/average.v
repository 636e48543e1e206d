(* Averages with weights p_j >= 0, sum_j p_j = 1: Jensen's inequality and the variance.

   A row of attention is such an average. Two facts carry all bounds of this folder: an average of squares is at least
   the square of the average (Jensen), and points in a ball of radius R have a variance of at most R^2, in total and so
   in every direction. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector.
Open Scope R_scope.

Definition probability (n : nat) (p : vector) : Prop := (forall j, (j < n)%nat -> 0 <= p j) /\ sum n p = 1.
Definition average (n : nat) (p : vector) (Y : tokens) : vector := fun c => sum n (fun j => p j * Y j c).
Definition in_ball (n d : nat) (R : R) (X : tokens) : Prop := forall j, (j < n)%nat -> norm2 d (X j) <= R ^ 2.

(* What every weight is at most. *)
Lemma probability_le_1 n p j : probability n p -> (j < n)%nat -> p j <= 1.
Proof. intros [H0 H1] Hj. rewrite <- H1. apply sum_term_le; auto. Qed.

(* An average of numbers below M is below M. *)
Lemma average_le n p f M : probability n p -> (forall j, (j < n)%nat -> f j <= M) -> sum n (fun j => p j * f j) <= M.
Proof.
  intros [H0 H1] Hf. replace M with (sum n p * M) by (rewrite H1; ring).
  rewrite <- sum_scale_r. apply sum_le; intros j Hj. apply Rmult_le_compat_l; auto.
Qed.

(* Jensen's inequality for the square: (sum_j p_j f_j)^2 <= sum_j p_j f_j^2. The difference is the variance, never
   negative. *)
Lemma jensen_scalar n p f : probability n p -> sum n (fun j => p j * f j) ^ 2 <= sum n (fun j => p j * f j ^ 2).
Proof.
  intros [H0 H1]. set (m := sum n (fun j => p j * f j)).
  assert (H : 0 <= sum n (fun j => p j * (f j - m) ^ 2)).
  { apply sum_nonneg; intros; apply Rmult_le_pos; [auto | apply pow2_ge_0]. }
  rewrite (sum_ext n _ (fun j => p j * f j ^ 2 + ((-2 * m) * (p j * f j) + m ^ 2 * p j))) in H by (intros; ring).
  rewrite !sum_plus, !sum_scale, H1 in H. fold m in H. lra.
Qed.

(* The same for vectors: || sum_j p_j y_j ||^2 <= sum_j p_j ||y_j||^2. *)
Theorem jensen n d p Y : probability n p -> norm2 d (average n p Y) <= sum n (fun j => p j * norm2 d (Y j)).
Proof.
  intros Hp. unfold norm2.
  rewrite (sum_ext n _ (fun j => sum d (fun c => p j * Y j c ^ 2))) by (intros; rewrite sum_scale; auto).
  rewrite sum_swap. apply sum_le; intros. apply jensen_scalar; auto.
Qed.

(* Cauchy-Schwarz in the inner product sum_j p_j (x_j . y_j), for any weights p_j >= 0. *)
Theorem weighted_cauchy_schwarz n d p X Y :
  (forall j, (j < n)%nat -> 0 <= p j) ->
  sum n (fun j => p j * dot d (X j) (Y j)) ^ 2 <=
  sum n (fun j => p j * norm2 d (X j)) * sum n (fun j => p j * norm2 d (Y j)).
Proof.
  intros Hp. apply discriminant.
  - intros t. rewrite <- !sum_scale, <- !sum_plus. apply sum_nonneg; intros j Hj.
    replace (p j * norm2 d (X j) + 2 * t * (p j * dot d (X j) (Y j)) + t ^ 2 * (p j * norm2 d (Y j)))
      with (p j * norm2 d (fun c => X j c + t * Y j c)).
    + apply Rmult_le_pos; [auto | apply norm2_nonneg].
    + rewrite norm2_plus, norm2_scale, dot_scale_r. ring.
  - apply sum_nonneg; intros; apply Rmult_le_pos; [auto | apply norm2_nonneg].
Qed.

(* The norm of an average is at most the average of the norms: with ||y_j|| <= t_j, ||sum_j p_j y_j|| <= sum_j p_j t_j.
   For u = sum_j p_j y_j, ||u||^2 = sum_j p_j (u . y_j) <= ||u|| sum_j p_j t_j. *)
Lemma average_norm_le n d p Y t :
  (forall j, (j < n)%nat -> 0 <= p j) -> (forall j, (j < n)%nat -> 0 <= t j) ->
  (forall j, (j < n)%nat -> norm2 d (Y j) <= t j ^ 2) ->
  norm2 d (average n p Y) <= sum n (fun j => p j * t j) ^ 2.
Proof.
  intros Hp Ht HY. set (u := average n p Y). set (T := sum n (fun j => p j * t j)).
  assert (HT : 0 <= T) by (apply sum_nonneg; intros; apply Rmult_le_pos; auto).
  pose proof (norm2_nonneg d u) as Hu. pose proof (sqrt_pos (norm2 d u)) as Hq.
  pose proof (sqrt_sqrt (norm2 d u) Hu) as Hqq.
  set (q := sqrt (norm2 d u)) in *.
  assert (E : norm2 d u <= q * T).
  { rewrite norm2_dot. unfold u at 2, average. rewrite dot_combination_r. unfold T. rewrite <- sum_scale.
    apply sum_le; intros j Hj. replace (q * (p j * t j)) with (p j * (q * t j)) by ring. apply Rmult_le_compat_l; auto.
    apply square_le_le; [| apply Rmult_le_pos; auto]. eapply Rle_trans; [apply cauchy_schwarz |].
    replace ((q * t j) ^ 2) with (norm2 d u * t j ^ 2) by (rewrite <- Hqq; ring). apply Rmult_le_compat_l; auto. }
  rewrite <- Hqq in E |- *. destruct (Req_dec q 0) as [-> | Q0]; [pose proof (pow2_ge_0 T); lra |].
  assert (q <= T) by (apply Rmult_le_reg_l with q; lra). replace (T ^ 2) with (T * T) by ring.
  apply Rmult_le_compat; assumption.
Qed.

(* Cauchy-Schwarz for weighted sums of numbers. *)
Lemma weighted_cauchy_schwarz_scalar n p f g :
  (forall j, (j < n)%nat -> 0 <= p j) ->
  sum n (fun j => p j * (f j * g j)) ^ 2 <= sum n (fun j => p j * f j ^ 2) * sum n (fun j => p j * g j ^ 2).
Proof.
  intros Hp. pose proof (weighted_cauchy_schwarz n 1 p (fun j _ => f j) (fun j _ => g j) Hp) as H.
  unfold dot, norm2 in H; simpl sum in H.
  rewrite (sum_ext n _ (fun j => p j * (0 + f j * g j))),
    (sum_ext n (fun j => p j * f j ^ 2) (fun j => p j * (0 + f j ^ 2))),
    (sum_ext n (fun j => p j * g j ^ 2) (fun j => p j * (0 + g j ^ 2))) by (intros; ring).
  exact H.
Qed.

(* ---- Deviations y_j - m from the average m = sum_j p_j y_j ---- *)
Section Deviation.
Variables (n d : nat) (p : vector) (Y : tokens).
Hypothesis Hp : probability n p.

Definition deviation (j : nat) : vector := fun c => Y j c - average n p Y c.

(* They average to 0. *)
Lemma deviation_centred c : sum n (fun j => p j * deviation j c) = 0.
Proof.
  destruct Hp as [_ H1]. unfold deviation.
  rewrite (sum_ext n _ (fun j => p j * Y j c - p j * average n p Y c)) by (intros; ring).
  rewrite sum_minus, sum_scale_r, H1. unfold average. ring.
Qed.

Lemma deviation_dot_centred u : sum n (fun j => p j * dot d u (deviation j)) = 0.
Proof.
  rewrite <- dot_combination_r. apply sum_zero; intros c _. rewrite deviation_centred. ring.
Qed.

(* Koenig-Huygens: variance + ||m||^2 = average of ||y_j||^2. *)
Lemma koenig_huygens :
  sum n (fun j => p j * norm2 d (deviation j)) + norm2 d (average n p Y) = sum n (fun j => p j * norm2 d (Y j)).
Proof.
  rewrite (sum_ext n (fun j => p j * norm2 d (Y j))
    (fun j => p j * norm2 d (deviation j) + 2 * (p j * dot d (average n p Y) (deviation j))
              + p j * norm2 d (average n p Y))).
  - rewrite !sum_plus, sum_scale, deviation_dot_centred, sum_scale_r. destruct Hp as [_ ->]. ring.
  - intros j _. rewrite (norm2_ext d (Y j) (fun c => deviation j c + average n p Y c)).
    + rewrite norm2_plus, (dot_symmetric d (deviation j)). ring.
    + intros; unfold deviation; ring.
Qed.

(* Along a direction no more than in total. *)
Lemma variance_along_le_total u :
  sum n (fun j => p j * dot d u (deviation j) ^ 2) <= sum n (fun j => p j * norm2 d (deviation j)) * norm2 d u.
Proof.
  rewrite <- sum_scale_r. apply sum_le; intros j Hj. pose proof (cauchy_schwarz d u (deviation j)).
  destruct Hp as [H0 _]. specialize (H0 j Hj). nra.
Qed.

Section Ball.
Variable R : R.
Hypothesis HR : in_ball n d R Y.

Lemma average_in_ball : norm2 d (average n p Y) <= R ^ 2.
Proof. eapply Rle_trans; [apply jensen; auto |]. apply average_le; auto. Qed.

(* |y_j - m| <= 2 R. *)
Lemma deviation_le j : (j < n)%nat -> norm2 d (deviation j) <= 4 * R ^ 2.
Proof.
  intros Hj. eapply Rle_trans; [apply norm2_minus_le |]. pose proof (HR j Hj). pose proof average_in_ball. lra.
Qed.

(* The variance and the squared length of the mean are together at most R^2 ... *)
Lemma variance_plus_mean_le : sum n (fun j => p j * norm2 d (deviation j)) + norm2 d (average n p Y) <= R ^ 2.
Proof. rewrite koenig_huygens. apply average_le; auto. Qed.

Lemma variance_le : sum n (fun j => p j * norm2 d (deviation j)) <= R ^ 2.
Proof. pose proof variance_plus_mean_le. pose proof (norm2_nonneg d (average n p Y)). lra. Qed.

(* ... and so is the variance along every direction. *)
Lemma variance_along_le u : sum n (fun j => p j * dot d u (deviation j) ^ 2) <= R ^ 2 * norm2 d u.
Proof.
  eapply Rle_trans; [apply variance_along_le_total |].
  apply Rmult_le_compat_r; [apply norm2_nonneg | apply variance_le].
Qed.

End Ball.
End Deviation.
