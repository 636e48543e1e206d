(* T14: a symmetric matrix from which one direction v is taken out. What is left, A = G - sigma v v^T, has a smaller
   largest eigenvalue; a bound mu of it gives one of G, in which what v is not, an eigenvector of A with the eigenvalue
   0, enters by the square of r = A v.

   Let M = lam - A, which is positive, and q = <x, M x>. As M v = lam v - r, lam <v, x> = <v, M x> + <r, x>; and
   <r, y>^2 <= kappa <y, M y> with kappa = ||r||^2 / (lam - mu), hence <y, M y> + 2 <r, y> + kappa >= 0. At y = v + t x,
   for all t: its discriminant is the bound of <v, x>^2 by q. *)
Require Import Reals Lra.
From attcert Require Import sum vector matrix deflation.
Open Scope R_scope.

Section Out.

Variables (N : nat) (A : matrix) (v r : vector) (mu lam : R).
Hypothesis symmetric : forall i j, (i < N)%nat -> (j < N)%nat -> A i j = A j i.
Hypothesis rest : forall x, form N A x x <= mu * norm2 N x.
Hypothesis image : forall i, (i < N)%nat -> r i = mat_vec N A v i.
Hypothesis above : mu < lam.

(* <x, M y> *)
Definition shifted (x y : vector) : R := lam * dot N x y - form N A x y.

Lemma shifted_sum x t :
  shifted (fun c => v c + t * x c) (fun c => v c + t * x c) =
  shifted v v + 2 * t * shifted x v + t ^ 2 * shifted x x.
Proof.
  unfold shifted. rewrite (form_of_sum N A v (fun c => t * x c) symmetric), <- !norm2_dot, norm2_plus, norm2_scale.
  rewrite (form_symmetric N A (fun c => t * x c) v symmetric), (form_symmetric N A x v symmetric).
  replace (form N A v (fun c => t * x c)) with (t * form N A v x).
  2: { rewrite !(form_symmetric N A v _ symmetric). unfold form. rewrite !(dot_symmetric N _ (mat_vec N A v)).
       rewrite dot_scale_r. reflexivity. }
  replace (form N A (fun c => t * x c) (fun c => t * x c)) with (t ^ 2 * form N A x x).
  2: { unfold form. rewrite (dot_ext N (fun c => t * x c) (fun c => t * x c) (mat_vec N A (fun c => t * x c))
                               (fun i => t * mat_vec N A x i)) by (auto; intros; apply dot_scale_r).
       rewrite dot_scale_r, (dot_symmetric N (fun c => t * x c)), dot_scale_r, dot_symmetric. ring. }
  rewrite dot_scale_r, (dot_symmetric N v x). ring.
Qed.

Lemma shifted_large x : (lam - mu) * norm2 N x <= shifted x x.
Proof. unfold shifted. rewrite <- norm2_dot. pose proof (rest x). lra. Qed.

Lemma component_square x :
  (lam * dot N v x) ^ 2 <= (lam * norm2 N v + dot N v r + norm2 N r / (lam - mu)) * shifted x x.
Proof.
  assert (Hgap : 0 < lam - mu) by lra. pose proof (norm2_nonneg N r) as Hr. set (kappa := norm2 N r / (lam - mu)).
  assert (Hk : kappa * (lam - mu) = norm2 N r) by (unfold kappa; field; lra).
  assert (Hk0 : 0 <= kappa) by (apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; assumption]).
  assert (nonneg : forall y, 0 <= shifted y y + 2 * dot N r y + kappa).
  { intros y. pose proof (shifted_large y) as Hm. pose proof (norm2_nonneg N y) as Hy.
    pose proof (cauchy_schwarz N r y) as Hc. set (m := shifted y y) in *. set (f := dot N r y) in *.
    assert (Hm0 : 0 <= m) by nra.
    assert (Hf : f ^ 2 <= kappa * m).
    { apply Rle_trans with (1 := Hc). rewrite <- Hk. nra. }
    apply Rnot_lt_le. intros Hlt. assert (Hs : (m + kappa) ^ 2 < (2 * f) ^ 2) by nra.
    assert (0 <= (m - kappa) ^ 2) by apply pow2_ge_0. nra. }
  assert (Hv : forall y, form N A y v = dot N y r).
  { intros y. unfold form. apply dot_ext; [auto |]. intros i Hi. symmetry. apply image, Hi. }
  assert (E : lam * dot N v x = shifted x v + dot N r x).
  { unfold shifted. rewrite Hv, (dot_symmetric N x r), (dot_symmetric N x v). ring. }
  assert (F : lam * norm2 N v + dot N v r + kappa = shifted v v + 2 * dot N r v + kappa).
  { unfold shifted. rewrite Hv, <- norm2_dot, (dot_symmetric N r v). ring. }
  rewrite E, F. apply discriminant.
  - intros t. pose proof (nonneg (fun c => v c + t * x c)) as H. rewrite shifted_sum, dot_plus_r, dot_scale_r in H. lra.
  - pose proof (shifted_large x). pose proof (norm2_nonneg N x). nra.
Qed.

Theorem direction_out sigma nu a rho :
  0 <= sigma -> norm2 N v <= nu ^ 2 -> 0 <= a -> dot N v r <= a -> norm2 N r <= rho ^ 2 -> 0 < lam ->
  sigma * (nu ^ 2 + (a + rho ^ 2 / (lam - mu)) / lam) <= lam ->
  forall x, form N A x x + sigma * dot N v x ^ 2 <= lam * norm2 N x.
Proof.
  intros Hs Hnu Ha Hp Hrho Hl Hend x. pose proof (component_square x) as H. assert (Hgap : 0 < lam - mu) by lra.
  pose proof (shifted_large x) as Hm. pose proof (norm2_nonneg N x) as Hx. set (q := shifted x x) in *.
  assert (Hq : 0 <= q) by nra.
  assert (Hk : norm2 N r / (lam - mu) <= rho ^ 2 / (lam - mu)).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat |]; assumption. }
  set (kappa := rho ^ 2 / (lam - mu)) in *.
  assert (Hd : (lam * dot N v x) ^ 2 <= (lam * nu ^ 2 + a + kappa) * q).
  { apply Rle_trans with (1 := H). apply Rmult_le_compat_r; [assumption |]. nra. }
  assert (He : sigma * (lam * nu ^ 2 + a + kappa) <= lam ^ 2).
  { replace (lam * nu ^ 2 + a + kappa) with (lam * (nu ^ 2 + (a + kappa) / lam)) by (field; lra). nra. }
  assert (Hw : lam ^ 2 * (sigma * dot N v x ^ 2) <= lam ^ 2 * q).
  { apply Rle_trans with (sigma * ((lam * nu ^ 2 + a + kappa) * q)).
    - replace (lam ^ 2 * (sigma * dot N v x ^ 2)) with (sigma * (lam * dot N v x) ^ 2) by ring.
      apply Rmult_le_compat_l; assumption.
    - nra. }
  apply Rmult_le_reg_l in Hw; [| nra]. unfold q, shifted in Hw. rewrite <- norm2_dot in Hw. lra.
Qed.

End Out.
