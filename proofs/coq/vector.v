(* Vectors of R^d and the inequality of Cauchy and Schwarz.

   A vector is a function nat -> R of which only the first d values count, a sequence of n tokens is a function
   nat -> nat -> R (token, coordinate). Norms appear squared: norm2 d x = ||x||^2. *)
Require Import Reals Lra Lia.
From attcert Require Import sum.
Open Scope R_scope.

Definition vector := nat -> R.
Definition tokens := nat -> vector.

Definition dot (d : nat) (x y : vector) : R := sum d (fun c => x c * y c).
Definition norm2 (d : nat) (x : vector) : R := sum d (fun c => x c ^ 2).

(* The squared l2 norm of a whole sequence, ||X||_F^2 = sum_i ||x_i||^2, and the inner product that belongs to it. *)
Definition sequence_norm2 (n d : nat) (X : tokens) : R := sum n (fun i => norm2 d (X i)).
Definition sequence_dot (n d : nat) (X Y : tokens) : R := sum n (fun i => dot d (X i) (Y i)).

(* ---- The inner product is bilinear and symmetric ---- *)

Lemma dot_ext d x x' y y' :
  (forall c, (c < d)%nat -> x c = x' c) -> (forall c, (c < d)%nat -> y c = y' c) -> dot d x y = dot d x' y'.
Proof. intros Hx Hy. apply sum_ext; intros c Hc. rewrite Hx, Hy; auto. Qed.

Lemma dot_symmetric d x y : dot d x y = dot d y x.
Proof. apply sum_ext; intros; ring. Qed.

Lemma dot_plus_r d x y z : dot d x (fun c => y c + z c) = dot d x y + dot d x z.
Proof. unfold dot. rewrite <- sum_plus. apply sum_ext; intros; ring. Qed.

Lemma dot_minus_r d x y z : dot d x (fun c => y c - z c) = dot d x y - dot d x z.
Proof. unfold dot. rewrite <- sum_minus. apply sum_ext; intros; ring. Qed.

Lemma dot_scale_r d a x y : dot d x (fun c => a * y c) = a * dot d x y.
Proof. unfold dot. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.

Lemma dot_divide_r d a x y : dot d x (fun c => y c / a) = dot d x y / a.
Proof. unfold dot. rewrite <- sum_divide. apply sum_ext; intros; unfold Rdiv; ring. Qed.

(* The inner product with a combination sum_j w_j Y_j. *)
Lemma dot_combination_r n d w x (Y : tokens) :
  dot d x (fun c => sum n (fun j => w j * Y j c)) = sum n (fun j => w j * dot d x (Y j)).
Proof.
  unfold dot. rewrite (sum_ext d _ (fun c => sum n (fun j => w j * (x c * Y j c)))).
  - rewrite sum_swap. apply sum_ext; intros j _. apply sum_scale.
  - intros c _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma norm2_dot d x : norm2 d x = dot d x x.
Proof. apply sum_ext; intros; ring. Qed.

Lemma norm2_ext d x y : (forall c, (c < d)%nat -> x c = y c) -> norm2 d x = norm2 d y.
Proof. intros H. apply sum_ext; intros c Hc. rewrite H; auto. Qed.

Lemma norm2_nonneg d x : 0 <= norm2 d x.
Proof. apply sum_nonneg; intros; apply pow2_ge_0. Qed.

Lemma norm2_scale d a x : norm2 d (fun c => a * x c) = a ^ 2 * norm2 d x.
Proof. unfold norm2. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.

Lemma norm2_plus d x y : norm2 d (fun c => x c + y c) = norm2 d x + 2 * dot d x y + norm2 d y.
Proof. unfold norm2, dot. rewrite <- sum_scale, <- !sum_plus. apply sum_ext; intros; ring. Qed.

Lemma sequence_norm2_nonneg n d X : 0 <= sequence_norm2 n d X.
Proof. apply sum_nonneg; intros; apply norm2_nonneg. Qed.

(* ---- Cauchy-Schwarz ----

   Its classical proof once and for all: if A + 2 t S + t^2 B, a square for every t, is never negative, then its
   discriminant is not positive. A = ||x||^2, S = x . y, B = ||y||^2 gives the inequality of vectors; sums of such terms
   give the others. *)
Lemma discriminant A S B : (forall t, 0 <= A + 2 * t * S + t ^ 2 * B) -> 0 <= B -> S ^ 2 <= A * B.
Proof.
  intros H HB. destruct (Req_dec B 0) as [B0 | B0].
  - destruct (Req_dec S 0) as [-> | S0]; [rewrite B0; lra |].
    specialize (H (- (A + 1) / (2 * S))).
    replace (A + 2 * (- (A + 1) / (2 * S)) * S + (- (A + 1) / (2 * S)) ^ 2 * B) with (-1) in H by (rewrite B0; field;
      auto).
    lra.
  - specialize (H (- S / B)).
    replace (A + 2 * (- S / B) * S + (- S / B) ^ 2 * B) with ((A * B - S ^ 2) / B) in H by (field; auto).
    apply (Rmult_le_compat_r B) in H; [| lra].
    unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in H by auto. lra.
Qed.

Theorem cauchy_schwarz d x y : dot d x y ^ 2 <= norm2 d x * norm2 d y.
Proof.
  apply discriminant; [| apply norm2_nonneg]. intros t.
  replace (norm2 d x + 2 * t * dot d x y + t ^ 2 * norm2 d y) with (norm2 d (fun c => x c + t * y c));
    [apply norm2_nonneg |].
  rewrite norm2_plus, norm2_scale, dot_scale_r. ring.
Qed.

(* The same for sequences of tokens. *)
Theorem sequence_cauchy_schwarz n d X Y : sequence_dot n d X Y ^ 2 <= sequence_norm2 n d X * sequence_norm2 n d Y.
Proof.
  apply discriminant; [| apply sequence_norm2_nonneg]. intros t.
  unfold sequence_norm2, sequence_dot. rewrite <- !sum_scale, <- !sum_plus.
  apply sum_nonneg; intros i _.
  replace (norm2 d (X i) + 2 * t * dot d (X i) (Y i) + t ^ 2 * norm2 d (Y i))
    with (norm2 d (fun c => X i c + t * Y i c)).
  - apply norm2_nonneg.
  - rewrite norm2_plus, norm2_scale, dot_scale_r. ring.
Qed.

(* ---- The triangle inequality ----

   ||x|| <= a r and ||y|| <= b r give ||x + y|| <= (a + b) r; with squares, and N for r^2. *)
Lemma square_le_le S M : S ^ 2 <= M ^ 2 -> 0 <= M -> S <= M.
Proof. intros H HM. destruct (Rle_or_lt S M); [assumption | nra]. Qed.

Lemma triangle_of_squares A S B a b N :
  S ^ 2 <= A * B -> 0 <= A -> 0 <= B -> 0 <= a -> 0 <= b -> 0 <= N -> A <= a ^ 2 * N -> B <= b ^ 2 * N ->
  A + 2 * S + B <= (a + b) ^ 2 * N.
Proof.
  intros HS HA HB Ha Hb HN HAN HBN.
  assert (S <= a * b * N).
  { apply square_le_le; [| apply Rmult_le_pos; [apply Rmult_le_pos; auto | auto]].
    apply Rle_trans with (A * B); [assumption |].
    replace ((a * b * N) ^ 2) with ((a ^ 2 * N) * (b ^ 2 * N)) by ring.
    apply Rmult_le_compat; assumption. }
  replace ((a + b) ^ 2 * N) with (a ^ 2 * N + 2 * (a * b * N) + b ^ 2 * N) by ring. lra.
Qed.

Lemma norm2_triangle d x y a b N :
  0 <= a -> 0 <= b -> 0 <= N -> norm2 d x <= a ^ 2 * N -> norm2 d y <= b ^ 2 * N ->
  norm2 d (fun c => x c + y c) <= (a + b) ^ 2 * N.
Proof.
  intros. rewrite norm2_plus.
  apply triangle_of_squares; auto using norm2_nonneg. apply cauchy_schwarz.
Qed.

Lemma sequence_norm2_triangle n d X Y a b N :
  0 <= a -> 0 <= b -> 0 <= N -> sequence_norm2 n d X <= a ^ 2 * N -> sequence_norm2 n d Y <= b ^ 2 * N ->
  sequence_norm2 n d (fun i c => X i c + Y i c) <= (a + b) ^ 2 * N.
Proof.
  intros.
  replace (sequence_norm2 n d (fun i c => X i c + Y i c))
    with (sequence_norm2 n d X + 2 * sequence_dot n d X Y + sequence_norm2 n d Y).
  - apply triangle_of_squares; auto using sequence_norm2_nonneg, sequence_cauchy_schwarz.
  - unfold sequence_norm2, sequence_dot. rewrite <- sum_scale, <- !sum_plus.
    apply sum_ext; intros. symmetry; apply norm2_plus.
Qed.

(* Two cruder ones, without the products: (x - y)^2 <= 2 (x^2 + y^2) and (x + y + z)^2 <= 3 (x^2 + y^2 + z^2). *)
Lemma norm2_minus_le d x y : norm2 d (fun c => x c - y c) <= 2 * norm2 d x + 2 * norm2 d y.
Proof.
  unfold norm2. rewrite <- !sum_scale, <- sum_plus. apply sum_le; intros c _.
  pose proof (pow2_ge_0 (x c + y c)). nra.
Qed.

Lemma norm2_three_le d x y z : norm2 d (fun c => x c + y c + z c) <= 3 * (norm2 d x + norm2 d y + norm2 d z).
Proof.
  unfold norm2. rewrite <- !sum_plus, <- sum_scale. apply sum_le; intros c _.
  pose proof (pow2_ge_0 (x c - y c)). pose proof (pow2_ge_0 (x c - z c)). pose proof (pow2_ge_0 (y c - z c)). nra.
Qed.

(* A vector is as long as its inner products allow: u . u <= sqrt(M) ||u|| gives ||u||^2 <= M. *)
Lemma norm2_le_of_square d u M : 0 <= M -> norm2 d u ^ 2 <= norm2 d u * M -> norm2 d u <= M.
Proof.
  intros HM H. destruct (Req_dec (norm2 d u) 0) as [-> | H0]; [assumption |].
  pose proof (norm2_nonneg d u). apply Rmult_le_reg_l with (norm2 d u); [lra |]. nra.
Qed.
