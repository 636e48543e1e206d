(* Upper bounds of the largest eigenvalue of a symmetric matrix from a factor that anyone may have proposed:

     t I - G = L L^T + R   gives   x^T G x <= t ||x||^2 - x^T R x <= (t + ||R||) ||x||^2,

   as L L^T is positive semidefinite. integer_cholesky.c has R exactly, and ||R||_F (integer_norm.v); largest_eigenvalue.c computes R in
   double, panel by panel, and bounds what its roundings hide. *)
Require Import Reals Lra Lia Arith.
From attcert Require Import sum vector matrix norm deflation rounding.
Open Scope R_scope.

Definition identity : matrix := fun i j => if Nat.eqb i j then 1 else 0.

(* L L^T *)
Definition square_of (N : nat) (L : matrix) : matrix := fun i j => dot N (L i) (L j).

(* ---- The criterion ---- *)

Lemma identity_vector N x i : (i < N)%nat -> mat_vec N identity x i = x i.
Proof.
  intros Hi. rewrite <- (sum_only N i x) by assumption. apply sum_ext; intros j _.
  unfold identity. destruct (Nat.eqb i j); ring.
Qed.

Lemma form_square N L x : form N (square_of N L) x x = norm2 N (mat_vec N (transpose L) x).
Proof.
  rewrite norm2_dot, <- adjoint. apply dot_ext; [reflexivity |]. intros i _.
  unfold mat_vec, square_of, dot, transpose.
  rewrite (sum_ext N _ (fun j => sum N (fun m => L i m * L j m * x j))) by (intros; apply eq_sym, sum_scale_r).
  rewrite sum_swap. apply sum_ext; intros m _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma form_of_shifted N G L S t x :
  (forall i j, (i < N)%nat -> (j < N)%nat -> t * identity i j - G i j = square_of N L i j + S i j) ->
  form N G x x = t * norm2 N x - norm2 N (mat_vec N (transpose L) x) - form N S x x.
Proof.
  intros H. rewrite <- form_square, (norm2_dot N x), <- (dot_scale_r N t x x). unfold form.
  rewrite <- (dot_minus_r N x (fun c => t * x c)), <- dot_minus_r. apply dot_ext; [reflexivity |].
  intros i Hi. rewrite <- (identity_vector N x i) by assumption. unfold mat_vec, dot.
  rewrite <- sum_scale, <- !sum_minus. apply sum_ext; intros j Hj. specialize (H i j Hi Hj).
  replace (G i j) with (t * identity i j - square_of N L i j - S i j) by lra. ring.
Qed.

Theorem cholesky_criterion N G L S t rho :
  (forall i j, (i < N)%nat -> (j < N)%nat -> t * identity i j - G i j = square_of N L i j + S i j) ->
  (forall x, - form N S x x <= rho * norm2 N x) ->
  forall x, form N G x x <= (t + rho) * norm2 N x.
Proof.
  intros H HS x. rewrite (form_of_shifted N G L S t x H). specialize (HS x).
  pose proof (norm2_nonneg N (mat_vec N (transpose L) x)). lra.
Qed.

Lemma form_bounded N S rho x : 0 <= rho -> bounded N N S rho -> Rabs (form N S x x) <= rho * norm2 N x.
Proof.
  intros Hrho H. pose proof (norm2_nonneg N x). apply abs_le_of_square; [| apply Rmult_le_pos; assumption].
  eapply Rle_trans; [apply cauchy_schwarz |]. specialize (H x). nra.
Qed.

Theorem cholesky_certificate N G L S t rho :
  (forall i j, (i < N)%nat -> (j < N)%nat -> t * identity i j - G i j = square_of N L i j + S i j) ->
  0 <= rho -> bounded N N S rho -> forall x, form N G x x <= (t + rho) * norm2 N x.
Proof.
  intros H Hrho HS. apply (cholesky_criterion N G L S t rho H). intros x.
  pose proof (form_bounded N S rho x Hrho HS). pose proof (Rle_abs (- form N S x x)) as A.
  rewrite Rabs_Ropp in A. lra.
Qed.

(* ---- Non-negative matrices ---- *)

(* rho(B) <= max_i (B x)_i / x_i (Collatz, Wielandt) for symmetric B >= 0 and any x > 0; x = 1: the largest row sum. *)
Theorem collatz_wielandt N B x r :
  (forall i j, (i < N)%nat -> (j < N)%nat -> B i j = B j i) ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> 0 <= B i j) ->
  (forall i, (i < N)%nat -> 0 < x i) ->
  (forall i, (i < N)%nat -> mat_vec N B x i <= r * x i) ->
  forall z, form N B z z <= r * norm2 N z.
Proof.
  intros Hs Hn Hx Hr z.
  assert (Hhalf : form N B z z <= sum N (fun i => sum N (fun j => B i j * (z i ^ 2 * (x j / x i)) / 2))
                                  + sum N (fun i => sum N (fun j => B i j * (z j ^ 2 * (x i / x j)) / 2))).
  { rewrite <- sum_plus. apply sum_le; intros i Hi. unfold mat_vec, dot. rewrite <- sum_scale, <- sum_plus.
    apply sum_le; intros j Hj.
    assert (E : 2 * (z i * z j) <= z i ^ 2 * (x j / x i) + z j ^ 2 * (x i / x j)).
    { pose proof (Hx i Hi). pose proof (Hx j Hj).
      assert (0 <= (x j * z i - x i * z j) ^ 2 / (x i * x j)).
      { apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
      replace (z i ^ 2 * (x j / x i) + z j ^ 2 * (x i / x j))
        with ((x j * z i - x i * z j) ^ 2 / (x i * x j) + 2 * (z i * z j)) by (field; lra). lra. }
    apply (Rmult_le_compat_l (B i j)) in E; [lra | auto]. }
  assert (Hswap : sum N (fun i => sum N (fun j => B i j * (z j ^ 2 * (x i / x j)) / 2))
                  = sum N (fun i => sum N (fun j => B i j * (z i ^ 2 * (x j / x i)) / 2))).
  { rewrite sum_swap. apply sum_ext; intros i Hi. apply sum_ext; intros j Hj.
    rewrite (Hs j i) by assumption. reflexivity. }
  assert (Hrow : sum N (fun i => sum N (fun j => B i j * (z i ^ 2 * (x j / x i)) / 2)) <= r * norm2 N z / 2).
  { unfold norm2. rewrite <- sum_scale, <- sum_divide. apply sum_le; intros i Hi. rewrite sum_divide.
    apply Rmult_le_compat_r; [lra |]. pose proof (Hx i Hi).
    rewrite (sum_ext N _ (fun j => z i ^ 2 / x i * (B i j * x j))) by (intros; field; lra). rewrite sum_scale.
    specialize (Hr i Hi). unfold mat_vec, dot in Hr.
    apply Rle_trans with (z i ^ 2 / x i * (r * x i)); [| right; field; lra].
    apply Rmult_le_compat_l; [| assumption].
    apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; assumption]. }
  lra.
Qed.

(* What underflows in z = A x, e in an entry, comes back in y = A^T z times a column of A: hardly anything beside y,
   which has the squares of that column, or beside e (s any number between what is small and what is not). *)
Theorem loss_between_factors n a e s : 0 <= e -> 0 < s ->
  sum n (fun i => a i * e) <= e / s * sum n (fun i => a i ^ 2) + INR n * (s * e).
Proof.
  intros He Hs. rewrite <- sum_scale, <- sum_constant, <- sum_plus. apply sum_le; intros i _.
  assert (a i <= / s * a i ^ 2 + s).
  { apply Rmult_le_reg_l with s; [assumption |].
    replace (s * (/ s * a i ^ 2 + s)) with (a i ^ 2 + s ^ 2) by (field; lra). nra. }
  apply Rle_trans with ((/ s * a i ^ 2 + s) * e); [apply Rmult_le_compat_r; assumption | right; unfold Rdiv; ring].
Qed.

Lemma row_sums N B r :
  (forall i j, (i < N)%nat -> (j < N)%nat -> B i j = B j i) ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> 0 <= B i j) ->
  (forall i, (i < N)%nat -> sum N (fun j => B i j) <= r) ->
  forall z, form N B z z <= r * norm2 N z.
Proof.
  intros Hs Hn Hr. apply (collatz_wielandt N B (fun _ => 1)); auto.
  - intros; lra.
  - intros i Hi. apply Rle_trans with (sum N (fun j => B i j) * 1); [right; exact (sum_scale_r N 1 (B i)) |].
    specialize (Hr i Hi). lra.
Qed.

(* |x^T S x| <= |x|^T B |x| for |S| <= B. *)
Lemma form_le_absolute N S B x :
  (forall i j, (i < N)%nat -> (j < N)%nat -> Rabs (S i j) <= B i j) ->
  Rabs (form N S x x) <= form N B (fun c => Rabs (x c)) (fun c => Rabs (x c)).
Proof.
  intros H. unfold form, dot at 1. eapply Rle_trans; [apply sum_abs_le |]. apply sum_le; intros i Hi.
  rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos |]. unfold mat_vec, dot.
  eapply Rle_trans; [apply sum_abs_le |]. apply sum_le; intros j Hj. rewrite Rabs_mult.
  apply Rmult_le_compat_r; [apply Rabs_pos | auto].
Qed.

Lemma norm2_absolute N x : norm2 N (fun c => Rabs (x c)) = norm2 N x.
Proof. apply sum_ext; intros. apply pow2_abs. Qed.

(* ---- The residual of largest_eigenvalue.c ----

   Panel by panel, c := fl(c - p_k) from c = m on, p_k the computed product of the two panels' parts: off P_k by at most
   gamma_b a_k + e_k, a_k the product of the absolute values. In the end R~ = c, and R = m - sum_k P_k. *)
Section Residual.

Variable u : R.
Hypothesis unit_nonneg : 0 <= u.
Hypothesis unit_small : u < 1.

Lemma partial_residual b (c p P a e : nat -> R) chunks : INR (b + chunks) * u < 1 ->
  (forall k, (k < chunks)%nat -> 0 <= e k) ->
  (forall k, (k < chunks)%nat -> exists d, Rabs d <= u /\ c (S k) = (c k - p k) * (1 + d)) ->
  (forall k, (k < chunks)%nat -> Rabs (p k - P k) <= gamma u b * a k + e k) ->
  (forall k, (k < chunks)%nat -> Rabs (P k) <= a k) ->
  exists f, factors u chunks f /\
    Rabs (f * c chunks - (c 0%nat - sum chunks P))
    <= gamma u (b + chunks) * sum chunks a + (1 + gamma u chunks) * sum chunks e.
Proof.
  intros Hm He. induction chunks as [| k IH]; intros Hc Hp HP.
  - exists 1. split; [apply no_factor |]. simpl sum.
    replace (1 * c 0%nat - (c 0%nat - 0)) with 0 by ring. rewrite Rabs_R0. simpl. lra.
  - assert (Hk : INR (b + k) * u < 1).
    { eapply Rle_lt_trans; [| exact Hm]. apply Rmult_le_compat_r; [assumption |]. apply le_INR. lia. }
    destruct IH as (f & Hf & E); auto.
    destruct (Hc k (Nat.lt_succ_diag_r k)) as (d & Hd & Ck).
    pose proof (Hp k (Nat.lt_succ_diag_r k)) as Hpk. pose proof (HP k (Nat.lt_succ_diag_r k)) as HPk.
    assert (smaller : forall m, (m <= b + S k)%nat -> INR m * u < 1).
    { intros m H. eapply Rle_lt_trans; [| exact Hm]. apply Rmult_le_compat_r; [assumption |]. apply le_INR, H. }
    pose proof (factors_near_1 u unit_nonneg unit_small k f Hf (smaller k ltac:(lia))) as Hnear.
    pose proof (gamma_nonneg u unit_nonneg k (smaller k ltac:(lia))) as Gk.
    pose proof (gamma_nonneg u unit_nonneg b (smaller b ltac:(lia))) as Gb.
    pose proof (gamma_sum u unit_nonneg b k Hk) as Gs.
    pose proof (gamma_le u unit_nonneg (b + k) (b + S k) ltac:(lia) Hm) as Gle.
    pose proof (gamma_le u unit_nonneg k (S k) ltac:(lia) (smaller (S k) ltac:(lia))) as Gle'.
    exists (f / (1 + d)). split; [apply one_less; assumption |].
    assert (Hd1 : 1 + d <> 0) by (apply abs_between in Hd; lra).
    replace (f / (1 + d) * c (S k)) with (f * (c k - p k)) by (rewrite Ck; field; assumption).
    cbn [sum].
    replace (f * (c k - p k) - (c 0%nat - (sum k P + P k)))
      with ((f * c k - (c 0%nat - sum k P)) - ((f - 1) * (p k - P k) + (p k - P k) + (f - 1) * P k)) by ring.
    assert (Ha : 0 <= a k) by (pose proof (Rabs_pos (P k)); lra).
    assert (Hsa : 0 <= sum k a).
    { apply sum_nonneg. intros j Hj. pose proof (Rabs_pos (P j)). assert (Rabs (P j) <= a j) by (apply HP; lia). lra. }
    assert (E1 : Rabs ((f - 1) * (p k - P k)) <= gamma u k * (gamma u b * a k + e k)).
    { rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. }
    assert (E2 : Rabs ((f - 1) * P k) <= gamma u k * a k).
    { rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. }
    assert (E3 : Rabs ((f - 1) * (p k - P k) + (p k - P k) + (f - 1) * P k)
      <= gamma u k * (gamma u b * a k + e k) + (gamma u b * a k + e k) + gamma u k * a k).
    { eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat; [| assumption].
      eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat; assumption. }
    eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp.
    assert (F1 : (gamma u b + gamma u k + gamma u b * gamma u k) * a k <= gamma u (b + S k) * a k).
    { apply Rmult_le_compat_r; lra. }
    assert (F2 : gamma u (b + k) * sum k a <= gamma u (b + S k) * sum k a) by (apply Rmult_le_compat_r; lra).
    assert (F3 : (1 + gamma u k) * (sum k e + e k) <= (1 + gamma u (S k)) * (sum k e + e k)).
    { apply Rmult_le_compat_r; [| lra]. apply Rplus_le_le_0_compat; [apply sum_nonneg; intros; apply He; lia | auto]. }
    lra.
Qed.

Theorem chunked_residual b (c p P a e : nat -> R) chunks : INR (b + chunks) * u <= 1 / 2 ->
  (forall k, (k < chunks)%nat -> 0 <= e k) ->
  (forall k, (k < chunks)%nat -> exists d, Rabs d <= u /\ c (S k) = (c k - p k) * (1 + d)) ->
  (forall k, (k < chunks)%nat -> Rabs (p k - P k) <= gamma u b * a k + e k) ->
  (forall k, (k < chunks)%nat -> Rabs (P k) <= a k) ->
  Rabs (c chunks - (c 0%nat - sum chunks P))
  <= gamma u chunks * Rabs (c chunks) + gamma u (b + chunks) * sum chunks a + 2 * sum chunks e.
Proof.
  intros Hm He Hc Hp HP.
  assert (Hle : INR chunks * u <= INR (b + chunks) * u) by (apply Rmult_le_compat_r; [assumption | apply le_INR; lia]).
  destruct (partial_residual b c p P a e chunks) as (f & Hf & E); try assumption; [lra |].
  pose proof (factors_near_1 u unit_nonneg unit_small chunks f Hf ltac:(lra)) as Hnear.
  replace (c chunks - (c 0%nat - sum chunks P))
    with ((f * c chunks - (c 0%nat - sum chunks P)) - (f - 1) * c chunks) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp, Rabs_mult.
  assert (Rabs (f - 1) * Rabs (c chunks) <= gamma u chunks * Rabs (c chunks)).
  { apply Rmult_le_compat_r; [apply Rabs_pos | assumption]. }
  assert (1 + gamma u chunks <= 2).
  { rewrite one_plus_gamma by lra. replace 2 with (/ (1 / 2)) by field. apply Rinv_le_contravar; lra. }
  assert ((1 + gamma u chunks) * sum chunks e <= 2 * sum chunks e).
  { apply Rmult_le_compat_r; [apply sum_nonneg; assumption | assumption]. }
  lra.
Qed.

End Residual.

Lemma form_matrix_plus N A B x y : form N (fun i j => A i j + B i j) x y = form N A x y + form N B x y.
Proof.
  unfold form. rewrite <- dot_plus_r. apply dot_ext; [reflexivity |]. intros i _. unfold mat_vec, dot.
  rewrite <- sum_plus. apply sum_ext; intros; ring.
Qed.

Lemma form_matrix_scale N a A x y : form N (fun i j => a * A i j) x y = a * form N A x y.
Proof.
  unfold form. rewrite <- dot_scale_r. apply dot_ext; [reflexivity |]. intros i _. unfold mat_vec, dot.
  rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma form_identity N x : form N identity x x = norm2 N x.
Proof. rewrite norm2_dot. apply dot_ext; [reflexivity |]. apply identity_vector. Qed.

(* All of it: M, the shifted matrix with its diagonal rounded to within v mu, its residual R~ with row sums of at most
   r, off by g_1 |R~| + g_2 |L| |L|^T + e, and || |L| ||^2 <= s. *)
Theorem computed_certificate N G M L computed t v mu g1 g2 e r s :
  0 <= g1 -> 0 <= g2 -> 0 <= e ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> Rabs (t * identity i j - G i j - M i j) <= v * mu * identity i j) ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> Rabs (computed i j - (M i j - square_of N L i j))
     <= g1 * Rabs (computed i j) + g2 * square_of N (fun i m => Rabs (L i m)) i j + e) ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> computed i j = computed j i) ->
  (forall i, (i < N)%nat -> sum N (fun j => Rabs (computed i j)) <= r) ->
  (forall x, form N (square_of N (fun i m => Rabs (L i m))) x x <= s * norm2 N x) ->
  forall x, form N G x x <= (t + (v * mu + (1 + g1) * r + g2 * s + INR N * e)) * norm2 N x.
Proof.
  intros H1 H2 He HM HR Hs Hr HL.
  apply (cholesky_criterion N G L (fun i j => t * identity i j - G i j - square_of N L i j)).
  - intros i j _ _. ring.
  - intros x. set (z := fun c => Rabs (x c)). set (A := square_of N (fun i m => Rabs (L i m))) in *.
    set (B := fun i j => v * mu * identity i j + ((1 + g1) * Rabs (computed i j) + (g2 * A i j + e))).
    assert (HB : Rabs (form N (fun i j => t * identity i j - G i j - square_of N L i j) x x) <= form N B z z).
    { apply form_le_absolute. intros i j Hi Hj. unfold B. specialize (HM i j Hi Hj). specialize (HR i j Hi Hj).
      replace (t * identity i j - G i j - square_of N L i j)
        with ((t * identity i j - G i j - M i j) + (computed i j - (computed i j - (M i j - square_of N L i j))))
        by ring.
      eapply Rle_trans; [apply Rabs_triang |].
      assert (Rabs (computed i j - (computed i j - (M i j - square_of N L i j)))
        <= Rabs (computed i j) + Rabs (computed i j - (M i j - square_of N L i j))).
      { eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
      lra. }
    assert (HF : form N B z z = v * mu * norm2 N z + ((1 + g1) * form N (fun i j => Rabs (computed i j)) z z
                                + (g2 * form N A z z + form N (fun _ _ => e) z z))).
    { unfold B. rewrite !form_matrix_plus, !form_matrix_scale, form_identity. reflexivity. }
    assert (F1 : form N (fun i j => Rabs (computed i j)) z z <= r * norm2 N z).
    { apply row_sums; [intros; rewrite Hs by assumption; reflexivity | intros; apply Rabs_pos | assumption]. }
    assert (F2 : form N (fun _ _ => e) z z <= INR N * e * norm2 N z).
    { apply row_sums; auto. intros. rewrite sum_constant. lra. }
    specialize (HL z). fold A in HL. rewrite <- (norm2_absolute N x). fold z.
    apply (Rmult_le_compat_l (1 + g1)) in F1; [| lra]. apply (Rmult_le_compat_l g2) in HL; [| assumption].
    pose proof (Rle_abs (- form N (fun i j => t * identity i j - G i j - square_of N L i j) x x)) as Hneg.
    rewrite Rabs_Ropp in Hneg. lra.
Qed.
