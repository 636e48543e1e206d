(* The upper end of the engine mpfr, in the terms of its contracts in C, where the integers of a matrix are real numbers.
   The axioms of spec/theorems/integer_norm.acsl are these theorems:

     factored_eigenvalue       t I - G = L L^T + R and ||R||_F <= residual: no eigenvalue of G is above t + residual
     gram_trace_bound          G = B B^T: none is above its trace
     integer_norm              B holds the integers of M, w their unit, ||M - w B||_F <= delta, and lambda is above
                               every eigenvalue of w^2 G by (2 ||M||_F + delta) delta: then ||J|| <= sqrt(lambda) + rho
                               for every J with ||J - M||_F <= rho
     integer_norm_transposed   the same where B holds the integers of M^T *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix norm deflation cholesky_certificate rounded_gram.
Open Scope R_scope.

(* R_ij, j <= i, and the sum of its squares in row i, twice beside the diagonal. *)
Definition rest (t : R) (g l : matrix) (i j : nat) : R :=
  (if Nat.eqb i j then t else 0) - g i j - sum (S j) (fun c => l i c * l j c).
Definition rest_squares (t : R) (g l : matrix) (i : nat) : R :=
  sum i (fun j => rest t g l i j ^ 2 + rest t g l i j ^ 2) + rest t g l i i ^ 2.

Definition of_lower (a : matrix) : matrix := fun i j => a (Nat.max i j) (Nat.min i j).
Definition triangle (l : matrix) : matrix := fun i m => if Nat.leb m i then l i m else 0.

Lemma square_of_triangle N l i j : (j <= i)%nat -> (i < N)%nat ->
  square_of N (triangle l) i j = sum (S j) (fun c => l i c * l j c).
Proof.
  intros Hji HN. unfold square_of, dot. replace N with (S j + (N - S j))%nat by lia. rewrite sum_append.
  rewrite (sum_zero (N - S j)), Rplus_0_r.
  - apply sum_ext. intros k Hk. unfold triangle.
    destruct (Nat.leb_spec k i); [| lia]. destruct (Nat.leb_spec k j); [reflexivity | lia].
  - intros k Hk. unfold triangle. destruct (Nat.leb_spec (S j + k) j); [lia | ring].
Qed.

Lemma frobenius_of_triangle N t g l :
  sequence_norm2 N N (of_lower (rest t g l)) = sum N (rest_squares t g l).
Proof.
  induction N as [| N IH]; [reflexivity |]. cbn [sum]. rewrite <- IH. unfold sequence_norm2, norm2, rest_squares.
  cbn [sum]. rewrite sum_plus, sum_plus.
  rewrite (sum_ext N (fun i => of_lower (rest t g l) i N ^ 2) (fun j => rest t g l N j ^ 2)).
  - rewrite (sum_ext N (fun j => of_lower (rest t g l) N j ^ 2) (fun j => rest t g l N j ^ 2)).
    + unfold of_lower. rewrite Nat.max_id, Nat.min_id. ring.
    + intros j Hj. unfold of_lower. rewrite Nat.max_l, Nat.min_r by lia. reflexivity.
  - intros i Hi. unfold of_lower. rewrite Nat.max_r, Nat.min_l by lia. reflexivity.
Qed.

Theorem factored_eigenvalue N t g l residual : 0 <= residual -> sum N (rest_squares t g l) <= residual ^ 2 ->
  forall x, form N (of_lower g) x x <= (t + residual) * norm2 N x.
Proof.
  intros H0 Hr.
  assert (Hlower : forall i j, (j <= i < N)%nat ->
    t * identity i j - g i j = square_of N (triangle l) i j + rest t g l i j).
  { intros i j Hij. rewrite square_of_triangle by lia. unfold rest, identity. destruct (Nat.eqb i j); ring. }
  apply (cholesky_certificate N _ (triangle l) (of_lower (rest t g l))); [| assumption |].
  - intros i j Hi Hj. unfold of_lower. destruct (Nat.le_ge_cases j i) as [Hij | Hij].
    + rewrite Nat.max_l, Nat.min_r by assumption. apply Hlower. lia.
    + rewrite Nat.max_r, Nat.min_l by assumption. unfold identity, square_of.
      rewrite Nat.eqb_sym, dot_symmetric. apply (Hlower j i). lia.
  - intros x. eapply Rle_trans; [apply frobenius_bound |]. rewrite pow2_sqrt.
    + apply Rmult_le_compat_r; [apply norm2_nonneg |].
      change (sequence_norm2 N N (of_lower (rest t g l)) <= residual ^ 2). rewrite frobenius_of_triangle. assumption.
    + apply sum_nonneg; intros. apply norm2_nonneg.
Qed.

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

Lemma gram_form_of_rows n k (g B : matrix) :
  (forall i j, (j <= i < n)%nat -> g i j = sum k (fun c => B i c * B j c)) ->
  forall x, form n (of_lower g) x x = norm2 k (mat_vec n (transpose B) x).
Proof.
  intros H x. rewrite <- form_of_rows. apply form_ext. intros i j Hi Hj. unfold of_lower.
  destruct (Nat.le_ge_cases j i).
  - rewrite Nat.max_l, Nat.min_r by assumption. apply H. lia.
  - rewrite Nat.max_r, Nat.min_l by assumption. rewrite H by lia. unfold dot. apply sum_ext; intros. ring.
Qed.

(* ||B^T x||^2 <= ||B||_F^2 ||x||^2 *)
Theorem gram_trace_bound n k (g b : matrix) :
  (forall i j, (j <= i < n)%nat -> g i j = sum k (fun c => b i c * b j c)) ->
  forall x, form n (of_lower g) x x <= sum n (fun i => g i i) * norm2 n x.
Proof.
  intros H x. rewrite (gram_form_of_rows n k g b H x).
  assert (E : sum n (fun i => g i i) = sequence_norm2 n k b).
  { apply sum_ext; intros i Hi. rewrite H by lia. apply sum_ext; intros. ring. }
  rewrite E. assert (N0 : 0 <= sequence_norm2 n k b) by (apply sum_nonneg; intros; apply norm2_nonneg).
  pose proof (transpose_bounded n k b (sqrt (sequence_norm2 n k b)) (sqrt_pos _)) as T.
  assert (Hb : sequence_norm2 n k b <= sqrt (sequence_norm2 n k b) ^ 2) by (rewrite pow2_sqrt by assumption; lra).
  specialize (T Hb x). rewrite <- (norm_square k), <- (norm_square n x), <- (pow2_sqrt _ N0), <- Rpow_mult_distr.
  apply pow_incr. split; [apply norm_nonneg | assumption].
Qed.

Lemma scaled_transpose n k w (B : matrix) x :
  norm2 k (mat_vec n (transpose (fun i c => w * B i c)) x) = w ^ 2 * norm2 k (mat_vec n (transpose B) x).
Proof.
  rewrite <- norm2_scale. apply sum_ext; intros c _. f_equal. unfold mat_vec, dot, transpose.
  rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma eigenvalue_of_rounded n k (A b g : matrix) w delta error lambda :
  0 <= delta ->
  sequence_norm2 n k (fun i c => A i c - b i c * w) <= delta ^ 2 ->
  (forall i j, (j <= i < n)%nat -> g i j = sum k (fun c => b i c * b j c)) ->
  (2 * sqrt (sequence_norm2 n k A) + delta) * delta <= error ->
  (forall x, form n (of_lower g) x x * w ^ 2 + error * norm2 n x <= lambda * norm2 n x) ->
  forall x, norm2 k (mat_vec n (transpose A) x) <= lambda * norm2 n x.
Proof.
  intros Hd HD HG He Hle x.
  set (a := sqrt (sequence_norm2 n k A)) in *.
  assert (N0 : 0 <= sequence_norm2 n k A) by (apply sum_nonneg; intros; apply norm2_nonneg).
  assert (Ha : 0 <= a) by apply sqrt_pos.
  assert (HA : sequence_norm2 n k A <= a ^ 2) by (unfold a; rewrite pow2_sqrt by assumption; lra).
  specialize (Hle x). rewrite (gram_form_of_rows n k g b HG x) in Hle.
  assert (HD' : sequence_norm2 n k (fun i c => A i c - (fun i c => w * b i c) i c) <= delta ^ 2).
  { eapply Rle_trans; [| exact HD]. right. apply sum_ext; intros i _. apply norm2_ext; intros c _. ring. }
  pose proof (rounded_gram n k A (fun i c => w * b i c) a delta Ha Hd HA HD' x) as E.
  rewrite scaled_transpose in E.
  pose proof (Rle_abs (norm2 k (mat_vec n (transpose A) x) - w ^ 2 * norm2 k (mat_vec n (transpose b) x))).
  pose proof (Rmult_le_compat_r (norm2 n x) _ _ (norm2_nonneg n x) He). lra.
Qed.

(* From M^T to M, and from M to J. *)
Lemma bounded_from_squares k n (A : matrix) lambda : 0 <= lambda ->
  (forall x, norm2 k (mat_vec n A x) <= lambda * norm2 n x) -> bounded k n A (sqrt lambda).
Proof. intros H0 H x. rewrite pow2_sqrt by assumption. apply H. Qed.

Lemma bounded_beside rows cols (J M : matrix) s rho : 0 <= s -> 0 <= rho -> bounded rows cols M s ->
  sequence_norm2 rows cols (fun i c => J i c - M i c) <= rho ^ 2 -> bounded rows cols J (s + rho).
Proof.
  intros Hs Hrho HM HJ x.
  assert (HD : bounded rows cols (fun i c => J i c - M i c) rho).
  { intros y. eapply Rle_trans; [apply frobenius_bound |]. apply Rmult_le_compat_r; [apply norm2_nonneg |].
    rewrite pow2_sqrt; [assumption |]. apply sum_nonneg; intros. apply norm2_nonneg. }
  assert (E : norm2 rows (mat_vec cols J x)
              = norm2 rows (fun i => mat_vec cols M x i + mat_vec cols (fun i c => J i c - M i c) x i)).
  { apply norm2_ext. intros i _. unfold mat_vec, dot. rewrite <- sum_plus. apply sum_ext; intros. ring. }
  rewrite E, <- (norm_square rows), <- (norm_square cols x), <- Rpow_mult_distr. apply pow_incr.
  split; [apply norm_nonneg |]. eapply Rle_trans; [apply norm_triangle |].
  assert (norm rows (mat_vec cols M x) <= s * norm cols x).
  { apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply HM. }
  assert (norm rows (mat_vec cols (fun i c => J i c - M i c) x) <= rho * norm cols x).
  { apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply HD. }
  lra.
Qed.

(* A = M *)
Theorem integer_norm n k J M b g w delta error rho lambda :
  0 <= delta -> 0 <= rho -> 0 <= lambda ->
  sequence_norm2 n k (fun i c => J i c - M i c) <= rho ^ 2 ->
  sequence_norm2 n k (fun i c => M i c - b i c * w) <= delta ^ 2 ->
  (forall i j, (j <= i < n)%nat -> g i j = sum k (fun c => b i c * b j c)) ->
  (2 * sqrt (sequence_norm2 n k M) + delta) * delta <= error ->
  (forall x, form n (of_lower g) x x * w ^ 2 + error * norm2 n x <= lambda * norm2 n x) ->
  bounded n k J (sqrt lambda + rho).
Proof.
  intros Hd Hrho Hl HJ HD HG He Hle.
  apply (bounded_beside n k J M); [apply sqrt_pos | assumption | | assumption].
  assert (T : bounded k n (transpose M) (sqrt lambda)).
  { apply bounded_from_squares; [assumption |].
    apply (eigenvalue_of_rounded n k M b g w delta error); assumption. }
  apply (bounded_transpose k n (transpose M) (sqrt lambda) T).
Qed.

(* A = M^T, where M has fewer columns than rows *)
Theorem integer_norm_transposed n k J M b g w delta error rho lambda :
  0 <= delta -> 0 <= rho -> 0 <= lambda ->
  sequence_norm2 k n (fun i c => J i c - M i c) <= rho ^ 2 ->
  sequence_norm2 n k (fun i c => M c i - b i c * w) <= delta ^ 2 ->
  (forall i j, (j <= i < n)%nat -> g i j = sum k (fun c => b i c * b j c)) ->
  (2 * sqrt (sequence_norm2 k n M) + delta) * delta <= error ->
  (forall x, form n (of_lower g) x x * w ^ 2 + error * norm2 n x <= lambda * norm2 n x) ->
  bounded k n J (sqrt lambda + rho).
Proof.
  intros Hd Hrho Hl HJ HD HG He Hle.
  apply (bounded_beside k n J M); [apply sqrt_pos | assumption | | assumption].
  apply bounded_from_squares; [assumption |].
  apply (eigenvalue_of_rounded n k (transpose M) b g w delta error); try assumption.
  replace (sequence_norm2 n k (transpose M)) with (sequence_norm2 k n M); [assumption |].
  unfold sequence_norm2, norm2, transpose. apply sum_swap.
Qed.
