(* The theorem of deflation.v from numbers that were computed (src/linalg/eigenvalue/deflation.h; ^ there, here `computed_...`).

   Y^ = G Q + D, ||D x|| <= e_y ||x||, is what was computed as G times the basis; A^ = fl(Q^T Y^), R^ = fl(Y^ - Q B) and
   S^ = fl(R^^T R^) are off by bounds of inner_product.v and rounded_product.v in the Frobenius norm. *)
Require Import Reals Lra Lia Arith.
From attcert Require Import sum vector matrix norm deflation rounding cholesky_certificate rounded_product.
Open Scope R_scope.

Lemma norm_combination_le N s a (D : tokens) e : 0 <= e -> norm2 N (combination s a D) <= e ^ 2 * norm2 s a ->
  norm N (combination s a D) <= e * norm s a.
Proof.
  intros He H. apply norm_le; [apply Rmult_le_pos; [assumption | apply norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square. assumption.
Qed.

(* ||D a|| <= ||D||_F ||a||, D given by its columns. *)
Theorem combination_frobenius N s a D : norm2 N (combination s a D) <= sequence_norm s N D ^ 2 * norm2 s a.
Proof.
  rewrite <- (sequence_norm_transpose s N D). eapply Rle_trans; [right | apply bounded_of_frobenius; apply Rle_refl].
  apply norm2_ext. intros c _. unfold combination, mat_vec, dot, transpose. apply sum_ext; intros; ring.
Qed.

Lemma form_frobenius s E a : Rabs (form s E a a) <= sequence_norm s s E * norm2 s a.
Proof. apply form_bounded; [apply sequence_norm_nonneg | apply bounded_of_frobenius, Rle_refl]. Qed.

Lemma form_at_most s E e a : sequence_norm s s E <= e -> Rabs (form s E a a) <= e * norm2 s a.
Proof.
  intros H. eapply Rle_trans; [apply form_frobenius | apply Rmult_le_compat_r; [apply norm2_nonneg | assumption]].
Qed.

Lemma combinations_dot N s (X Y : tokens) x y a : 0 <= x -> 0 <= y ->
  norm2 N (combination s a X) <= x ^ 2 * norm2 s a -> norm2 N (combination s a Y) <= y ^ 2 * norm2 s a ->
  Rabs (dot N (combination s a X) (combination s a Y)) <= x * y * norm2 s a.
Proof.
  intros Hx Hy HX HY. eapply Rle_trans; [apply dot_le_norms |].
  replace (x * y * norm2 s a) with ((x * norm s a) * (y * norm s a)) by (rewrite <- norm_square; ring).
  apply Rmult_le_compat; try apply norm_nonneg; apply norm_combination_le; assumption.
Qed.

(* a^T Q^T Y a, as a form of the inner products q_i . y_j. *)
Lemma form_of_products N s (Q Y : tokens) a :
  form s (fun i j => dot N (Q i) (Y j)) a a = dot N (combination s a Q) (combination s a Y).
Proof.
  rewrite dot_combination_l. unfold form, dot at 1. apply sum_ext; intros i _. f_equal.
  unfold combination. rewrite dot_combination_r. apply sum_ext; intros j _. ring.
Qed.

(* A^ is off Q^T G Q by ||A^ - Q^T Y^||_F + (1 + delta)^{1/2} e_y; root >= (1 + delta)^{1/2} >= ||Q||. *)
Theorem basis_form N s G Q (Y : tokens) A root e_y e : 0 <= root -> 0 <= e_y ->
  (forall a, norm2 N (combination s a Q) <= root ^ 2 * norm2 s a) ->
  (forall a, norm2 N (combination s a (fun j c => Y j c - mat_vec N G (Q j) c)) <= e_y ^ 2 * norm2 s a) ->
  sequence_norm s s (fun i j => A i j - dot N (Q i) (Y j)) <= e ->
  forall a, form N G (combination s a Q) (combination s a Q) <= form s A a a + (e + root * e_y) * norm2 s a.
Proof.
  intros Hroot Hey HQ HD HA a. set (D := fun j c => Y j c - mat_vec N G (Q j) c) in *.
  set (E := fun i j => A i j - dot N (Q i) (Y j)) in *.
  assert (HGQ : form N G (combination s a Q) (combination s a Q)
                = form s A a a - form s E a a - dot N (combination s a Q) (combination s a D)).
  { assert (HD' : dot N (combination s a Q) (combination s a D)
                  = dot N (combination s a Q) (combination s a Y) - form N G (combination s a Q) (combination s a Q)).
    { unfold form. rewrite <- dot_minus_r. apply dot_ext; [reflexivity |]. intros c _.
      unfold combination at 3. rewrite mat_vec_combination. unfold combination, D.
      rewrite <- sum_minus. apply sum_ext; intros; ring. }
    assert (HE : form s E a a = form s A a a - form s (fun i j => dot N (Q i) (Y j)) a a).
    { unfold form. rewrite <- dot_minus_r. apply dot_ext; [reflexivity |]. intros i _. unfold mat_vec, E.
      unfold dot at 1 3 4. rewrite <- sum_minus. apply sum_ext; intros; ring. }
    rewrite HD', HE, form_of_products. ring. }
  pose proof (form_at_most s E e a HA) as F. apply abs_between in F.
  pose proof (combinations_dot N s Q D root e_y a Hroot Hey (HQ a) (HD a)) as P. apply abs_between in P.
  rewrite HGQ. lra.
Qed.

(* ||R a||^2 is at most a^T S^ a + e_S ||a||^2, e_S = 2 ||R^|| e_R + e_R^2 + ||S^ - R^^T R^||_F. *)
Theorem residual_form N s (Rm computed : tokens) S r e_r e : 0 <= r -> 0 <= e_r ->
  (forall a, norm2 N (combination s a computed) <= r ^ 2 * norm2 s a) ->
  (forall a, norm2 N (combination s a (fun j c => computed j c - Rm j c)) <= e_r ^ 2 * norm2 s a) ->
  sequence_norm s s (fun i j => S i j - dot N (computed i) (computed j)) <= e ->
  forall a, norm2 N (combination s a Rm) <= form s S a a + (2 * r * e_r + e_r ^ 2 + e) * norm2 s a.
Proof.
  intros Hr Her HR HD HS a. set (D := fun j c => computed j c - Rm j c) in *.
  set (E := fun i j => S i j - dot N (computed i) (computed j)) in *.
  assert (H1 : norm2 N (combination s a computed) = form s S a a - form s E a a).
  { rewrite norm2_dot, <- form_of_products. unfold form. rewrite <- dot_minus_r. apply dot_ext; [reflexivity |].
    intros i _. unfold mat_vec, E, dot. rewrite <- sum_minus. apply sum_ext; intros; ring. }
  assert (H2 : norm2 N (combination s a Rm)
    = norm2 N (combination s a computed) - 2 * dot N (combination s a computed) (combination s a D)
      + norm2 N (combination s a D)).
  { rewrite (norm2_ext N (combination s a Rm) (fun c => combination s a computed c + -1 * combination s a D c)).
    - rewrite norm2_plus, dot_scale_r, norm2_scale. ring.
    - intros c _. unfold combination, D. rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros; ring. }
  pose proof (form_at_most s E e a HS) as F. apply abs_between in F.
  pose proof (combinations_dot N s computed D r e_r a Hr Her (HR a) (HD a)) as P. apply abs_between in P.
  specialize (HD a). rewrite H2, H1. lra.
Qed.

(* All of it; scale >= 1 / (t - b). *)
Theorem computed_deflation N s G Q B U A S b t h delta e_a e_s scale :
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) ->
  b < t -> delta < 1 -> / (t - b) <= scale ->
  (forall x, form N G x x + 2 * sum s (fun j => dot N (Q j) x * dot N (U j) x) <= b * norm2 N x) ->
  (forall a, form N G (combination s a Q) (combination s a Q) <= form s A a a + e_a * norm2 s a) ->
  (forall a, norm2 N (combination s a (residual N s G Q B)) <= form s S a a + e_s * norm2 s a) ->
  (forall a, form s (fun i j => A i j + scale * S i j) a a <= h * norm2 s a) ->
  (forall a, (1 - delta) * norm2 s a <= norm2 N (combination s a Q)) ->
  forall x, form N G x x <= Rmax t (Rmax 0 (h + e_a + scale * e_s) / (1 - delta)) * norm2 N x.
Proof.
  intros HG Hbt Hdelta Hscale Hrest HA HS Hh Hbasis.
  apply (deflation N s G Q B U b t (Rmax 0 (h + e_a + scale * e_s)) delta HG Hbt (Rmax_l _ _) Hdelta Hrest);
    [| assumption].
  intros a. specialize (HA a). specialize (HS a). specialize (Hh a).
  rewrite form_matrix_plus, form_matrix_scale in Hh.
  set (v := norm2 N (combination s a (residual N s G Q B))) in *.
  assert (0 <= v) by apply norm2_nonneg. assert (0 < / (t - b)) by (apply Rinv_0_lt_compat; lra).
  assert (v / (t - b) <= scale * v) by (unfold Rdiv; rewrite Rmult_comm; apply Rmult_le_compat_r; assumption).
  apply (Rmult_le_compat_l scale) in HS; [| lra].
  assert ((h + e_a + scale * e_s) * norm2 s a <= Rmax 0 (h + e_a + scale * e_s) * norm2 s a).
  { apply Rmult_le_compat_r; [apply norm2_nonneg | apply Rmax_r]. }
  lra.
Qed.

(* b from blocks on the diagonal and the rest in the Frobenius norm. *)
Theorem diagonal_blocks N (token : nat -> nat) F top rest : 0 <= rest ->
  let inside i j := if Nat.eqb (token i) (token j) then F i j else 0 in
  (forall x, form N inside x x <= top * norm2 N x) ->
  sequence_norm2 N N F - sequence_norm2 N N inside <= rest ^ 2 ->
  forall x, form N F x x <= (top + rest) * norm2 N x.
Proof.
  intros Hrest inside Hin Hnorm x. set (outside := fun i j => if Nat.eqb (token i) (token j) then 0 else F i j).
  assert (E : form N F x x = form N (fun i j => inside i j + outside i j) x x).
  { unfold form. apply dot_ext; [reflexivity |]. intros i _. unfold mat_vec. apply dot_ext; [| reflexivity].
    intros j _. unfold inside, outside. destruct (Nat.eqb (token i) (token j)); ring. }
  assert (O : sequence_norm2 N N outside = sequence_norm2 N N F - sequence_norm2 N N inside).
  { unfold sequence_norm2, norm2. rewrite <- sum_minus. apply sum_ext; intros i _. rewrite <- sum_minus.
    apply sum_ext; intros j _. unfold inside, outside. destruct (Nat.eqb (token i) (token j)); ring. }
  rewrite E, form_matrix_plus. specialize (Hin x). pose proof (form_frobenius N outside x) as P. apply abs_between in P.
  assert (sequence_norm N N outside <= rest) by (apply sequence_norm_le; [assumption | lra]).
  assert (sequence_norm N N outside * norm2 N x <= rest * norm2 N x).
  { apply Rmult_le_compat_r; [apply norm2_nonneg | assumption]. }
  lra.
Qed.

(* ||F||_F^2 from small matrices, F = G + Q U^T + U Q^T. *)
Definition outer (s : nat) (X Y : tokens) : matrix := fun r c => sum s (fun j => X j r * Y j c).

Lemma dot_outer N s A X Y : sequence_dot N N A (outer s X Y) = sum s (fun j => dot N (X j) (mat_vec N A (Y j))).
Proof.
  unfold sequence_dot, outer.
  rewrite (sum_ext N _ (fun r => sum s (fun j => X j r * dot N (A r) (Y j)))).
  - apply sum_swap.
  - intros r _. unfold dot. rewrite (sum_ext N _ (fun c => sum s (fun j => X j r * (A r c * Y j c)))).
    + rewrite sum_swap. apply sum_ext; intros j _. apply sum_scale.
    + intros c _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma outer_dot_outer N s X Y Z W : sequence_dot N N (outer s X Y) (outer s Z W)
  = sum s (fun i => sum s (fun j => dot N (X i) (Z j) * dot N (Y i) (W j))).
Proof.
  rewrite dot_outer, sum_swap. apply sum_ext; intros j _.
  rewrite (dot_ext N _ (Z j) _ (fun r => sum s (fun i => dot N (Y i) (W j) * X i r))); auto.
  - rewrite dot_combination_r. apply sum_ext; intros i _. rewrite (dot_symmetric N (Z j)). ring.
  - intros r _. unfold mat_vec, outer. rewrite dot_symmetric.
    rewrite (dot_combination_r s N (fun i => X i r) (W j) Y). apply sum_ext; intros i _.
    rewrite (dot_symmetric N (W j)). ring.
Qed.

Theorem deflated_frobenius N s G Q U : (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) ->
  sequence_norm2 N N (fun r c => G r c + (outer s Q U r c + outer s U Q r c))
  = sequence_norm2 N N G + 4 * sum s (fun j => dot N (U j) (mat_vec N G (Q j)))
    + 2 * sum s (fun i => sum s (fun j => dot N (Q i) (Q j) * dot N (U i) (U j)))
    + 2 * sum s (fun i => sum s (fun j => dot N (Q i) (U j) * dot N (U i) (Q j))).
Proof.
  intros HG.
  assert (E : forall A B, sequence_norm2 N N (fun r c => A r c + B r c)
    = sequence_norm2 N N A + 2 * sequence_dot N N A B + sequence_norm2 N N B).
  { intros A B. unfold sequence_norm2, sequence_dot. rewrite <- sum_scale, <- !sum_plus. apply sum_ext; intros r _.
    apply norm2_plus. }
  assert (D : forall A, sequence_norm2 N N A = sequence_dot N N A A)
    by (intros A; apply sum_ext; intros; apply norm2_dot).
  assert (P : sequence_dot N N G (fun r c => outer s Q U r c + outer s U Q r c)
    = sequence_dot N N G (outer s Q U) + sequence_dot N N G (outer s U Q)).
  { unfold sequence_dot. rewrite <- sum_plus. apply sum_ext; intros r _. apply dot_plus_r. }
  assert (S : sequence_dot N N G (outer s Q U) = sequence_dot N N G (outer s U Q)).
  { rewrite !dot_outer. apply sum_ext; intros j _. apply (form_symmetric N G (Q j) (U j) HG). }
  rewrite (E G), (E (outer s Q U)), P, S, !D, !outer_dot_outer, dot_outer.
  rewrite (sum_ext s (fun i => sum s (fun j => dot N (U i) (U j) * dot N (Q i) (Q j)))
    (fun i => sum s (fun j => dot N (Q i) (Q j) * dot N (U i) (U j))))
    by (intros; apply sum_ext; intros; apply Rmult_comm).
  ring.
Qed.
