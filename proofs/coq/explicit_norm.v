(* The upper end of the engine mpfr, from what its contracts in C leave behind:

     midpoint_theorem           ||J - M||_F <= rho
     explicit_gram_product      B, the integers of M, with ||M - w B||_F <= delta, w = 2^e, and G = B B^T exactly
     integer_cholesky_residual  t I - G = L L^T + R exactly, and ||R||_F <= residual

   together give ||J|| <= sqrt((t + residual) w^2 + (2 ||M||_F + delta) delta) + rho. *)
Require Import Reals Lra Lia ZArith.
From attcert Require Import sum vector matrix norm deflation cholesky_certificate rounded_gram.
Open Scope R_scope.

(* B B^T of integers, and the lower triangle that is kept of it. *)
Definition integers (b : nat -> nat -> Z) : matrix := fun i c => IZR (b i c).
Definition is_gram (n k : nat) (g b : nat -> nat -> Z) : Prop :=
  forall i j, (j <= i < n)%nat -> g i j = integer_sum k (fun c => (b i c * b j c)%Z).

Lemma form_of_rows n k (B : matrix) x : form n (fun i j => dot k (B i) (B j)) x x = norm2 k (mat_vec n (transpose B) x).
Proof.
  rewrite norm2_dot, <- adjoint. apply dot_ext; [reflexivity |]. intros i _.
  unfold mat_vec, dot, transpose.
  rewrite (sum_ext n _ (fun j => sum k (fun m => B i m * B j m * x j))) by (intros; apply eq_sym, sum_scale_r).
  rewrite sum_swap. apply sum_ext; intros m _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma form_ext n G H x : (forall i j, (i < n)%nat -> (j < n)%nat -> G i j = H i j) -> form n G x x = form n H x x.
Proof.
  intros E. apply sum_ext; intros i Hi. f_equal. apply sum_ext; intros j Hj. rewrite E by assumption. reflexivity.
Qed.

Lemma gram_form n k g b : is_gram n k g b ->
  forall x, form n (symmetric_of g) x x = norm2 k (mat_vec n (transpose (integers b)) x).
Proof.
  intros H x. rewrite <- form_of_rows. apply form_ext. intros i j Hi Hj.
  assert (E : forall p q, (q <= p < n)%nat -> IZR (g p q) = dot k (integers b p) (integers b q)).
  { intros p q Hpq. rewrite (H p q Hpq), integer_sum_real. apply sum_ext; intros. apply mult_IZR. }
  unfold symmetric_of. destruct (Nat.le_ge_cases j i).
  - rewrite Nat.max_l, Nat.min_r by assumption. apply E. lia.
  - rewrite Nat.max_r, Nat.min_l by assumption. rewrite E by lia. apply dot_symmetric.
Qed.

Lemma scaled_transpose n k w (B : matrix) x :
  norm2 k (mat_vec n (transpose (fun i c => w * B i c)) x) = w ^ 2 * norm2 k (mat_vec n (transpose B) x).
Proof.
  rewrite <- norm2_scale. apply sum_ext; intros c _. f_equal. unfold mat_vec, dot, transpose.
  rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

(* The largest eigenvalue of M M^T. *)
Theorem explicit_eigenvalue n k M b g l r t w a delta residual :
  0 <= a -> 0 <= delta -> 0 <= residual ->
  sequence_norm2 n k M <= a ^ 2 ->
  sequence_norm2 n k (fun i c => M i c - w * IZR (b i c)) <= delta ^ 2 ->
  is_gram n k g b ->
  (forall i j, (j <= i < n)%nat -> (eliminated t g l i j = l i j * l j j + r i j)%Z) ->
  sum n (lower_squares r) <= residual ^ 2 ->
  forall x, norm2 k (mat_vec n (transpose M) x)
            <= ((IZR t + residual) * w ^ 2 + (2 * a + delta) * delta) * norm2 n x.
Proof.
  intros Ha Hd H0 HM HD HG HL HR x.
  pose proof (integer_cholesky n g l r t residual HL HR H0 x) as C. rewrite (gram_form n k g b HG x) in C.
  pose proof (rounded_gram n k M (fun i c => w * integers b i c) a delta Ha Hd HM HD x) as E.
  rewrite scaled_transpose in E.
  pose proof (Rle_abs (norm2 k (mat_vec n (transpose M) x)
                       - w ^ 2 * norm2 k (mat_vec n (transpose (integers b)) x))) as A.
  pose proof (Rmult_le_compat_l (w ^ 2) _ _ (pow2_ge_0 w) C) as S. lra.
Qed.

(* upper bounds lambda's root and rho: what norm_upward_from_eigenvalue rounds upward. *)
Theorem explicit_norm n k J M b g l r t w a delta residual rho lambda :
  0 <= a -> 0 <= delta -> 0 <= residual -> 0 <= rho -> 0 <= lambda ->
  sequence_norm2 n k (fun i c => J i c - M i c) <= rho ^ 2 ->
  sequence_norm2 n k M <= a ^ 2 ->
  sequence_norm2 n k (fun i c => M i c - w * IZR (b i c)) <= delta ^ 2 ->
  is_gram n k g b ->
  (forall i j, (j <= i < n)%nat -> (eliminated t g l i j = l i j * l j j + r i j)%Z) ->
  sum n (lower_squares r) <= residual ^ 2 ->
  (IZR t + residual) * w ^ 2 + (2 * a + delta) * delta <= lambda ->
  bounded n k J (sqrt lambda + rho) /\ bounded k n (transpose J) (sqrt lambda + rho).
Proof.
  intros Ha Hd H0 Hrho Hlambda HJ HM HD HG HL HR Hle.
  assert (T : bounded k n (transpose J) (sqrt lambda + rho)).
  { intros x.
    assert (N : norm k (mat_vec n (transpose M) x) <= sqrt lambda * norm n x).
    { apply norm_le; [apply Rmult_le_pos; [apply sqrt_pos | apply norm_nonneg] |].
      rewrite Rpow_mult_distr, norm_square, (pow2_sqrt lambda Hlambda).
      eapply Rle_trans; [apply (explicit_eigenvalue n k M b g l r t w a delta residual); assumption |].
      apply Rmult_le_compat_r; [apply norm2_nonneg | assumption]. }
    pose proof (transpose_bounded n k (fun i c => J i c - M i c) rho Hrho HJ x) as D.
    assert (S : norm k (mat_vec n (transpose J) x) <= (sqrt lambda + rho) * norm n x).
    { replace (norm k (mat_vec n (transpose J) x))
        with (norm k (fun c => mat_vec n (transpose M) x c
                               + mat_vec n (transpose (fun i c => J i c - M i c)) x c)).
      - eapply Rle_trans; [apply norm_triangle | lra].
      - unfold norm. f_equal. apply norm2_ext. intros c _. unfold mat_vec, dot, transpose.
        rewrite <- sum_plus. apply sum_ext; intros; ring. }
    rewrite <- (norm_square k), <- (norm_square n x), <- Rpow_mult_distr. apply pow_incr.
    split; [apply norm_nonneg | assumption]. }
  split; [| assumption]. apply (bounded_transpose k n (transpose J)). assumption.
Qed.

Print Assumptions explicit_eigenvalue.
Print Assumptions explicit_norm.
