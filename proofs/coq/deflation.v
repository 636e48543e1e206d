(* The largest eigenvalue of a symmetric matrix from some of its approximate eigenvectors (spec/theorems/deflation.md).

   form N G x y is x^T G y. A basis of s vectors of R^N, the columns of Q in the text, is a sequence of tokens;
   combination s a Q is Q a. That lambda_max(G) <= t is said as x^T G x <= t ||x||^2 for all x. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix.
Open Scope R_scope.

Definition form (N : nat) (G : matrix) (x y : vector) : R := dot N x (mat_vec N G y).
Definition combination (s : nat) (a : vector) (Q : tokens) : vector := fun c => sum s (fun j => a j * Q j c).

(* ---- Every vector is a combination of the basis and a rest that is orthogonal to it ---- *)

Lemma dot_plus_l d x y z : dot d (fun c => x c + y c) z = dot d x z + dot d y z.
Proof. rewrite dot_symmetric, dot_plus_r, (dot_symmetric d z x), (dot_symmetric d z y). reflexivity. Qed.

Lemma dot_combination_l d s a Q x : dot d (combination s a Q) x = sum s (fun j => a j * dot d (Q j) x).
Proof.
  unfold combination. rewrite dot_symmetric, dot_combination_r. apply sum_ext; intros j _.
  rewrite (dot_symmetric d x). reflexivity.
Qed.

Lemma dot_zero_of_norm d p r : norm2 d p = 0 -> dot d p r = 0.
Proof. intros H. pose proof (cauchy_schwarz d p r) as C. rewrite H in C. nra. Qed.

Lemma decomposition N Q s : forall x, exists a r,
  (forall c, x c = combination s a Q c + r c) /\ (forall j, (j < s)%nat -> dot N (Q j) r = 0).
Proof.
  induction s as [| s IH]; intros x.
  - exists (fun _ => 0), x. split; [intros c; unfold combination; simpl; ring | intros j Hj; lia].
  - destruct (IH (Q s)) as (b & p & Hb & Hp). destruct (IH x) as (a & r & Ha & Hr).
    set (beta := dot N p r / norm2 N p).
    exists (fun j => if Nat.eqb j s then beta else a j - beta * b j), (fun c => r c - beta * p c).
    assert (Hs : forall z, (forall j, (j < s)%nat -> dot N (Q j) z = 0) -> dot N (Q s) z = dot N p z).
    { intros z Hz. rewrite (dot_ext N (Q s) (fun c => combination s b Q c + p c) z z) by auto.
      rewrite dot_plus_l, dot_combination_l, sum_zero; [ring |]. intros j Hj. rewrite Hz by assumption. ring. }
    assert (Hrest : forall j, (j < s)%nat -> dot N (Q j) (fun c => r c - beta * p c) = 0).
    { intros j Hj. rewrite (dot_minus_r N (Q j) r (fun c => beta * p c)), dot_scale_r, Hr, Hp by assumption. ring. }
    split.
    + intros c. unfold combination. simpl. rewrite Nat.eqb_refl.
      rewrite (sum_ext s _ (fun j => a j * Q j c - beta * (b j * Q j c))).
      * rewrite sum_minus, sum_scale. specialize (Ha c). specialize (Hb c). unfold combination in Ha, Hb.
        rewrite Ha, Hb. ring.
      * intros j Hj. destruct (Nat.eqb_spec j s); [lia | ring].
    + intros j Hj. destruct (Nat.eq_dec j s) as [-> | Hn]; [| apply Hrest; lia].
      rewrite Hs by assumption. rewrite (dot_minus_r N p r (fun c => beta * p c)), dot_scale_r, <- norm2_dot.
      unfold beta. destruct (Req_dec (norm2 N p) 0) as [H0 | H0].
      * rewrite (dot_zero_of_norm N p r H0), H0. unfold Rdiv. ring.
      * field. assumption.
Qed.

(* ---- The form on such a sum ---- *)

Lemma form_symmetric N G x y :
  (forall r c, (r < N)%nat -> (c < N)%nat -> G r c = G c r) -> form N G x y = form N G y x.
Proof.
  intros H. unfold form. rewrite adjoint, dot_symmetric. apply dot_ext; [reflexivity |].
  intros r Hr. unfold mat_vec. apply dot_ext; [| reflexivity]. intros c Hc. unfold transpose. apply H; assumption.
Qed.

Lemma form_plus_l N G x y z : form N G (fun c => x c + y c) z = form N G x z + form N G y z.
Proof. apply dot_plus_l. Qed.

Lemma form_plus_r N G x y z : form N G x (fun c => y c + z c) = form N G x y + form N G x z.
Proof.
  unfold form. rewrite <- dot_plus_r. apply dot_ext; [reflexivity |]. intros r _. apply mat_vec_plus.
Qed.

Lemma form_of_sum N G u r :
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) ->
  form N G (fun c => u c + r c) (fun c => u c + r c) = form N G u u + 2 * form N G r u + form N G r r.
Proof.
  intros H. rewrite form_plus_l, (form_plus_r N G u u r), (form_plus_r N G r u r), (form_symmetric N G u r H). ring.
Qed.

(* Column j of R = G Q - Q B. *)
Definition residual (N s : nat) (G : matrix) (Q : tokens) (B : matrix) : tokens :=
  fun j c => mat_vec N G (Q j) c - combination s (fun i => B i j) Q c.

(* r^T G Q a = r^T R a for r orthogonal to the basis. *)
Lemma form_on_basis N s G Q B a r :
  (forall j, (j < s)%nat -> dot N (Q j) r = 0) ->
  form N G r (combination s a Q) = dot N r (combination s a (residual N s G Q B)).
Proof.
  intros Hr. unfold form.
  rewrite (dot_ext N r r (mat_vec N G (combination s a Q)) (combination s a (fun j => mat_vec N G (Q j)))); auto.
  - unfold combination at 1 2. rewrite !dot_combination_r. apply sum_ext; intros j _. apply (f_equal (Rmult (a j))).
    unfold residual. rewrite (dot_minus_r N r (mat_vec N G (Q j)) (combination s (fun i => B i j) Q)).
    rewrite (dot_symmetric N r (combination s _ Q)), dot_combination_l, sum_zero; [rewrite Rminus_0_r; reflexivity |].
    intros i Hi. rewrite Hr by assumption. ring.
  - intros c _. unfold combination. apply mat_vec_combination.
Qed.

(* 2 p q <= p^2 / w + w q^2, of which only the squares are known. *)
Lemma weighted_means d X Y w : 0 < w -> 0 <= X -> 0 <= Y -> d ^ 2 <= X * Y -> 2 * d <= X / w + w * Y.
Proof.
  intros Hw HX HY Hd. apply square_le_le.
  - apply Rle_trans with (4 * (X * Y)); [nra |].
    replace (4 * (X * Y)) with (4 * (X / w * (w * Y))) by (field; lra).
    pose proof (pow2_ge_0 (X / w - w * Y)). nra.
  - assert (0 <= X / w) by (apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; assumption]).
    assert (0 <= w * Y) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem deflation N s G Q B U b t h delta :
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) ->
  b < t -> 0 <= h -> delta < 1 ->
  (* lambda_max(G + Q U^T + U Q^T) <= b *)
  (forall x, form N G x x + 2 * sum s (fun j => dot N (Q j) x * dot N (U j) x) <= b * norm2 N x) ->
  (* lambda_max(Q^T G Q + R^T R / (t - b)) <= h *)
  (forall a, form N G (combination s a Q) (combination s a Q)
             + norm2 N (combination s a (residual N s G Q B)) / (t - b) <= h * norm2 s a) ->
  (* the basis is orthonormal up to delta *)
  (forall a, (1 - delta) * norm2 s a <= norm2 N (combination s a Q)) ->
  forall x, form N G x x <= Rmax t (h / (1 - delta)) * norm2 N x.
Proof.
  intros HG Hbt Hh Hdelta Hrest Hsmall Hbasis x.
  destruct (decomposition N Q s x) as (a & r & Hx & Hr).
  set (u := combination s a Q) in *.
  assert (Hu : dot N u r = 0).
  { unfold u. rewrite dot_combination_l. apply sum_zero. intros j Hj. rewrite Hr by assumption. ring. }
  assert (Hnorm : norm2 N x = norm2 N u + norm2 N r).
  { rewrite (norm2_ext N x (fun c => u c + r c)) by auto. rewrite norm2_plus, Hu. ring. }
  assert (Hform : form N G x x = form N G u u + 2 * form N G r u + form N G r r).
  { rewrite <- form_of_sum by assumption. unfold form. apply dot_ext; [auto |].
    intros i _. unfold mat_vec. apply dot_ext; auto. }
  specialize (Hrest r). rewrite sum_zero in Hrest by (intros j Hj; rewrite Hr by assumption; ring).
  specialize (Hsmall a). fold u in Hsmall. specialize (Hbasis a). fold u in Hbasis.
  set (Ra := combination s a (residual N s G Q B)) in *.
  assert (Hcross : 2 * form N G r u <= norm2 N Ra / (t - b) + (t - b) * norm2 N r).
  { unfold u. rewrite (form_on_basis N s G Q B) by assumption. fold Ra.
    apply weighted_means; auto using norm2_nonneg; [lra |].
    rewrite Rmult_comm. apply cauchy_schwarz. }
  assert (Ha : h * norm2 s a <= h / (1 - delta) * norm2 N u).
  { replace (h * norm2 s a) with (h / (1 - delta) * ((1 - delta) * norm2 s a)) by (field; lra).
    apply Rmult_le_compat_l; [| assumption].
    apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; lra]. }
  pose proof (norm2_nonneg N u). pose proof (norm2_nonneg N r).
  pose proof (Rmax_l t (h / (1 - delta))). pose proof (Rmax_r t (h / (1 - delta))).
  rewrite Hform, Hnorm. nra.
Qed.
