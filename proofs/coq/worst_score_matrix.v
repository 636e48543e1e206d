(* T10: a score matrix of norm z / R^2 that makes the sqrt(n) term of T9 (sharp_bound.v) as large as it says, but for
   a factor that tends to 1.

   For orthogonal unit vectors e, g, any V, z >= 0, R > 0 and n >= 2 there are a head with A = -(z/R^2) g g^T and an X
   with tokens in the ball of radius R, masked or not, with

     ||D_X f|| >= ||V e|| sqrt(2 (n - 2)) z / ( 2 + (n - 2) e^(-z) ).

   Proof. x_1 = R e, x_2 = -R e, x_i = -R g for i >= 3. For i >= 3, g_i = A x_i = (z/R) g, the scores of x_1 and x_2 are
   0 and those of the others -z, so that P_i1 = P_i2 = p_i >= 1 / (2 + (n - 2) e^(-z)). If x_1 moves by g and x_2 by -g,
   by sqrt(2) in all, then the terms P_ij V xi_j of row i >= 3 cancel, the diagonal term is 0, and

     dy_i = p_i (g_i . g) V (x_1 - x_2) = 2 p_i z V e,     i = 3 ... n. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
Open Scope R_scope.

(* Entries beyond d do not count. *)
Definition orthonormal_pair (d : nat) (e g : vector) : Prop := norm2 d e = 1 /\ norm2 d g = 1 /\ dot d e g = 0.

(* A = -strength g g^T *)
Definition negative_rank_one (d : nat) (A : matrix) (strength : R) (g : vector) : Prop :=
  forall c, (c < d)%nat -> forall x, mat_vec d A x c = - strength * dot d g x * g c.

(* Rows from the third on see the first two tokens. *)
Definition attends_first_two (attends : mask) : Prop :=
  forall i, (2 <= i)%nat -> attends i 0%nat = true /\ attends i 1%nat = true.

Lemma unmasked_attends_first_two : attends_first_two unmasked.
Proof. split; reflexivity. Qed.

Lemma causal_attends_first_two : attends_first_two causal.
Proof. intros i Hi. split; apply Nat.leb_le; lia. Qed.

(* A sequence of tokens from the first two and what all others are. *)
Definition two_and_rest (x y rest : vector) : tokens :=
  fun j => match j with 0%nat => x | 1%nat => y | _ => rest end.

Section Example.
Variables (h : head) (m : nat) (attends : mask) (e g : vector) (z R : R).
Local Notation n := (S (S m)).
Local Notation d := (width h).
Local Notation k := (rank h).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Hfirst : attends_first_two attends.
Hypothesis Hbias : forall r, query_bias h r = 0.
Hypothesis Hpair : orthonormal_pair d e g.
Hypothesis HA : negative_rank_one d (score_matrix h) (z / R ^ 2) g.
Hypothesis Hz : 0 <= z.
Hypothesis HR : 0 < R.

Definition worst_tokens : tokens :=
  two_and_rest (fun c => R * e c) (fun c => - R * e c) (fun c => - R * g c).
Definition opposite_move : tokens := two_and_rest g (fun c => -1 * g c) (fun _ => 0).

Local Notation X := worst_tokens.
Local Notation xi := opposite_move.
Local Notation P := (weight h n attends X).
Local Notation p := (/ (2 + INR m * exp (- z))).

Lemma worst_tokens_in_ball : in_ball n d R X.
Proof.
  destruct Hpair as (He & Hg & _).
  intros [| [| j]] _; unfold worst_tokens, two_and_rest; rewrite norm2_scale, ?He, ?Hg; lra.
Qed.

(* g_i = (z/R) g for i >= 3 *)
Lemma gradient_of_later_row i x : dot d (key_gradient h X (S (S i))) x = z / R * dot d g x.
Proof.
  destruct Hpair as (_ & Hg & _). rewrite (dot_symmetric d g), <- dot_scale_r, dot_symmetric.
  apply dot_ext; [reflexivity |]. intros c Hc.
  rewrite key_gradient_split, (bias_gradient_zero h c Hbias), HA by assumption.
  change (X (S (S i))) with (fun c => - R * g c). rewrite dot_scale_r, <- norm2_dot, Hg. field. lra.
Qed.

Lemma exp_score_of_later_row i j : attends (S (S i)) j = true ->
  exp_score h attends X (S (S i)) j
  = exp (match j with S (S _) => - z | _ => 0 end) * exp (dot k (query h X (S (S i))) (key_bias h) / root h).
Proof.
  intros Hs. destruct Hpair as (_ & Hg & Heg). unfold exp_score. rewrite Hs, score_split, <- exp_plus. do 2 f_equal.
  rewrite gradient_of_later_row. unfold worst_tokens, two_and_rest.
  destruct j as [| [| j]]; rewrite dot_scale_r, ?(dot_symmetric d g e), ?Heg, <- ?norm2_dot, ?Hg; field; lra.
Qed.

(* P_i1 = P_i2 >= p for i >= 3 *)
Lemma first_weights_of_later_row i : (S (S i) < n)%nat ->
  P (S (S i)) 1%nat = P (S (S i)) 0%nat /\ p <= P (S (S i)) 0%nat.
Proof.
  intros Hi. set (r := S (S i)) in *. destruct (Hfirst r) as [H0 H1]; [unfold r; lia |].
  pose proof (normalizer_positive h n attends Hmask X r Hi) as HZ.
  set (E := exp (dot k (query h X r) (key_bias h) / root h)).
  assert (HE : 0 < E) by apply exp_pos. pose proof (exp_pos (- z)) as Hez.
  pose proof (exp_score_of_later_row i) as Hscore. fold r in Hscore. fold E in Hscore.
  assert (E0 : exp_score h attends X r 0 = E) by (rewrite Hscore by assumption; rewrite exp_0; ring).
  assert (E1 : exp_score h attends X r 1 = E) by (rewrite Hscore by assumption; rewrite exp_0; ring).
  unfold weight. rewrite E0, E1. split; [reflexivity |].
  assert (HZE : sum n (exp_score h attends X r) <= E * (2 + INR m * exp (- z))).
  { rewrite sum_first_two, E0, E1.
    assert (sum m (fun j => exp_score h attends X r (S (S j))) <= sum m (fun _ => exp (- z) * E)).
    { apply sum_le; intros j _.
      destruct (attends r (S (S j))) eqn:Hs; [rewrite Hscore by assumption; lra |].
      unfold exp_score. rewrite Hs. apply Rmult_le_pos; lra. }
    rewrite sum_constant in H. lra. }
  assert (Hq : 0 < 2 + INR m * exp (- z)) by (pose proof (Rmult_le_pos _ _ (pos_INR m) (Rlt_le _ _ Hez)); lra).
  apply Rmult_le_reg_r with (2 + INR m * exp (- z)); [assumption |]. rewrite Rinv_l by lra.
  apply Rmult_le_reg_r with (sum n (exp_score h attends X r)); [assumption |].
  replace (E / sum n (exp_score h attends X r) * (2 + INR m * exp (- z)) * sum n (exp_score h attends X r))
    with (E * (2 + INR m * exp (- z))) by (field; lra). lra.
Qed.

(* dy_i = 2 P_i1 z V e for i >= 3 *)
Lemma later_row_moves i r : (S (S i) < n)%nat ->
  jacobian_times h n attends X xi (S (S i)) r = 2 * P (S (S i)) 0%nat * z * mat_vec d (value_matrix h) e r.
Proof.
  intros Hi. destruct (first_weights_of_later_row i Hi) as [HP _]. destruct Hpair as (_ & Hg & _).
  rewrite jacobian_times_split by assumption.
  assert (Zero : forall x, dot d x (fun _ => 0) = 0) by (intros; apply sum_zero; intros; ring).
  change (xi (S (S i))) with (fun _ : nat => 0). change (mat_vec d (covariance h n attends X (S (S i))) (fun _ => 0) r)
    with (dot d (covariance h n attends X (S (S i)) r) (fun _ => 0)). rewrite Zero.
  unfold spread, average. rewrite sum_first_two, HP.
  rewrite (sum_zero m).
  2: { intros j _. unfold carried. change (xi (S (S j))) with (fun _ : nat => 0). unfold mat_vec. rewrite !Zero. ring. }
  unfold carried. rewrite !gradient_of_later_row.
  change (xi 0%nat) with g. change (xi 1%nat) with (fun c => -1 * g c).
  unfold mat_vec at 1 2. rewrite !dot_scale_r, <- norm2_dot, Hg.
  assert (D : value_deviation h n attends X (S (S i)) 0 r - value_deviation h n attends X (S (S i)) 1 r
    = 2 * R * mat_vec d (value_matrix h) e r).
  { unfold value_deviation, deviation, value. change (X 0%nat) with (fun c => R * e c).
    change (X 1%nat) with (fun c => - R * e c). unfold mat_vec. rewrite !dot_scale_r. ring. }
  set (d0 := value_deviation h n attends X (S (S i)) 0 r) in *.
  set (d1 := value_deviation h n attends X (S (S i)) 1 r) in *.
  replace d0 with (d1 + 2 * R * mat_vec d (value_matrix h) e r) by lra. field. lra.
Qed.

Lemma worst_tokens_lower_bound L : jacobian_bounded h n attends X L ->
  2 * INR m * (p * z) ^ 2 * norm2 k (mat_vec d (value_matrix h) e) <= L ^ 2.
Proof.
  intros HL. destruct Hpair as (_ & Hg & _). specialize (HL xi). set (V := norm2 k (mat_vec d (value_matrix h) e)).
  assert (HV : 0 <= V) by apply norm2_nonneg.
  assert (Hxi : sequence_norm2 n d xi = 2).
  { unfold sequence_norm2. rewrite sum_first_two, sum_zero by (intros; apply sum_zero; intros; cbn; ring).
    change (xi 0%nat) with g. change (xi 1%nat) with (fun c => -1 * g c). rewrite norm2_scale, Hg. ring. }
  rewrite Hxi in HL.
  assert (Rows : INR m * (4 * (p * z) ^ 2 * V) <= sequence_norm2 n k (jacobian_times h n attends X xi)); [| lra].
  rewrite <- sum_constant. unfold sequence_norm2. rewrite sum_first_two.
  pose proof (norm2_nonneg k (jacobian_times h n attends X xi 0%nat)).
  pose proof (norm2_nonneg k (jacobian_times h n attends X xi 1%nat)).
  apply Rle_trans with (sum m (fun i => norm2 k (jacobian_times h n attends X xi (S (S i))))); [| lra].
  apply sum_le; intros i Hi. assert (Hin : (S (S i) < n)%nat) by lia.
  rewrite (norm2_ext k _ _ (fun r _ => later_row_moves i r Hin)), norm2_scale. fold V.
  destruct (first_weights_of_later_row i Hin) as [_ Hp].
  assert (Hp0 : 0 <= p).
  { pose proof (Rmult_le_pos _ _ (pos_INR m) (Rlt_le _ _ (exp_pos (- z)))). left; apply Rinv_0_lt_compat; lra. }
  replace (4 * (p * z) ^ 2) with ((2 * p * z) ^ 2) by ring.
  apply Rmult_le_compat_r; [assumption |]. apply pow_incr. split; [apply Rmult_le_pos; lra |].
  apply Rmult_le_compat_r; lra.
Qed.

End Example.

(* ---- The head: the first rows of Q and K are g^T and -(z/R^2) root g^T, their other rows 0 ---- *)

Definition first_row (g : vector) : matrix := fun r c => if Nat.eqb 0 r then g c else 0.

Definition rank_one_head (d k : nat) (V : matrix) (divisor strength : R) (g : vector) : head := {|
  width := d; rank := k;
  query_matrix := first_row g;
  key_matrix := first_row (fun c => - strength * divisor * g c);
  value_matrix := V;
  query_bias := fun _ => 0; key_bias := fun _ => 0; value_bias := fun _ => 0;
  root := divisor
|}.

Lemma rank_one_head_score d k V divisor strength g : (0 < k)%nat -> divisor <> 0 ->
  negative_rank_one d (score_matrix (rank_one_head d k V divisor strength g)) strength g.
Proof.
  intros Hk Hdivisor c _ x. set (h := rank_one_head d k V divisor strength g).
  assert (E : forall l, score_matrix h c l = - strength * g c * g l).
  { intros l. unfold score_matrix, dot, transpose. cbn.
    rewrite (sum_ext k _ (fun r => if Nat.eqb 0 r then - strength * divisor * g c * g l else 0))
      by (intros r _; unfold first_row; destruct (Nat.eqb 0 r); ring).
    rewrite (sum_only k 0 (fun _ => - strength * divisor * g c * g l)) by assumption. field. assumption. }
  unfold mat_vec. rewrite (dot_ext d _ (fun l => - strength * g c * g l) x x) by auto.
  rewrite dot_symmetric, dot_scale_r, dot_symmetric. ring.
Qed.

(* ||A|| <= strength *)
Lemma rank_one_bounded d A strength g : norm2 d g = 1 -> negative_rank_one d A strength g -> bounded d d A strength.
Proof.
  intros Hg HA x. rewrite (norm2_ext d _ (fun c => - strength * dot d g x * g c)) by (intros; apply HA; assumption).
  rewrite norm2_scale, Hg. pose proof (cauchy_schwarz d g x) as C. rewrite Hg in C.
  pose proof (pow2_ge_0 strength). nra.
Qed.

Definition worst_factor (n : nat) (z : R) : R := sqrt (2 * (INR n - 2)) * z / (2 + (INR n - 2) * exp (- z)).

Theorem worst_score_matrix n d k V divisor e g z R attends :
  (2 <= n)%nat -> (0 < k)%nat -> divisor <> 0 -> orthonormal_pair d e g -> 0 <= z -> 0 < R ->
  no_empty_row n attends -> attends_first_two attends ->
  let h := rank_one_head d k V divisor (z / R ^ 2) g in
  bounded d d (score_matrix h) (z / R ^ 2) /\
  exists X, in_ball n d R X /\ forall L, 0 <= L -> jacobian_bounded h n attends X L ->
  worst_factor n z * sqrt (norm2 k (mat_vec d V e)) <= L.
Proof.
  intros Hn Hk Hdivisor Hpair Hz HR Hmask Hfirst h.
  assert (HA : negative_rank_one d (score_matrix h) (z / R ^ 2) g) by (apply rank_one_head_score; assumption).
  split; [apply (rank_one_bounded d _ _ g); [apply Hpair | assumption] |].
  destruct n as [| [| m]]; [lia | lia |]. exists (worst_tokens e g R).
  split; [apply (worst_tokens_in_ball h m e g R Hpair) |]. intros L HL HJ.
  pose proof (worst_tokens_lower_bound h m attends e g z R Hmask Hfirst (fun _ => eq_refl) Hpair HA Hz HR L HJ) as H.
  change (rank h) with k in H. change (width h) with d in H. change (value_matrix h) with V in H.
  unfold worst_factor. replace (INR (S (S m)) - 2) with (INR m) by (rewrite !S_INR; ring).
  pose proof (Rmult_le_pos _ _ (pos_INR m) (Rlt_le _ _ (exp_pos (- z)))) as Hq.
  set (p := / (2 + INR m * exp (- z))) in *. set (N := norm2 k (mat_vec d V e)) in *.
  assert (Hp : 0 <= p) by (left; apply Rinv_0_lt_compat; lra).
  assert (HN : 0 <= N) by apply norm2_nonneg. pose proof (pos_INR m).
  replace (sqrt (2 * INR m) * z / (2 + INR m * exp (- z))) with (sqrt (2 * INR m) * (p * z)) by (unfold p; field; lra).
  apply square_le_le; [| assumption]. rewrite !Rpow_mult_distr, !pow2_sqrt by lra.
  rewrite <- Rpow_mult_distr. exact H.
Qed.

(* Every unit vector of R^d, d >= 2, has a unit vector orthogonal to it: turn its first two coordinates by a right
   angle. *)
Lemma orthonormal_partner d e : (2 <= d)%nat -> norm2 d e = 1 -> exists g, orthonormal_pair d e g.
Proof.
  intros Hd He. destruct d as [| [| d]]; [lia | lia |].
  set (N := e 0%nat ^ 2 + e 1%nat ^ 2).
  assert (First_two : forall x y (f : nat -> R), (forall j, f (S (S j)) = 0) -> f 0%nat = x -> f 1%nat = y ->
    sum (S (S d)) f = x + y).
  { intros x y f Hf <- <-. rewrite sum_first_two, sum_zero by auto. ring. }
  destruct (Req_dec N 0) as [N0 | N0].
  - exists (fun c => if Nat.eqb 0 c then 1 else 0). pose proof (pow2_ge_0 (e 0%nat)). pose proof (pow2_ge_0 (e 1%nat)).
    assert (E0 : e 0%nat ^ 2 = 0) by (unfold N in N0; lra).
    assert (e 0%nat = 0) by (destruct (Req_dec (e 0%nat) 0); [assumption | pose proof (pow_nonzero (e 0%nat) 2); lra]).
    repeat split; [assumption | |].
    + unfold norm2. rewrite (First_two 1 0); [ring | | |]; intros; cbn; ring.
    + unfold dot. rewrite (First_two (e 0%nat) 0); [lra | | |]; intros; cbn; ring.
  - pose proof (pow2_ge_0 (e 0%nat)). pose proof (pow2_ge_0 (e 1%nat)).
    assert (HN : 0 < N) by (unfold N in *; lra). pose proof (sqrt_lt_R0 N HN) as Hs.
    pose proof (pow2_sqrt N (Rlt_le _ _ HN)) as Hs2. set (r := sqrt N) in *.
    exists (fun c => match c with 0%nat => - e 1%nat / r | 1%nat => e 0%nat / r | _ => 0 end).
    repeat split; [assumption | |].
    + unfold norm2. rewrite (First_two ((- e 1%nat / r) ^ 2) ((e 0%nat / r) ^ 2)); [| intros; cbn; ring | |]; trivial.
      replace 1 with (N / N) by (field; assumption). rewrite <- Hs2 at 2. unfold N. field. lra.
    + unfold dot. rewrite (First_two (e 0%nat * (- e 1%nat / r)) (e 1%nat * (e 0%nat / r))); trivial;
        [field; lra | intros; ring].
Qed.

(* What bounds ||D_X f|| for all A of norm z / R^2 and all X in the ball is at least worst_factor times ||V||. *)
Theorem worst_score_matrix_norm n d k V divisor z R attends L :
  (2 <= n)%nat -> (2 <= d)%nat -> (0 < k)%nat -> divisor <> 0 -> 0 <= z -> 0 < R -> 0 <= L ->
  no_empty_row n attends -> attends_first_two attends ->
  (forall h X, width h = d -> rank h = k -> value_matrix h = V -> root h = divisor ->
     bounded d d (score_matrix h) (z / R ^ 2) -> in_ball n d R X -> jacobian_bounded h n attends X L) ->
  forall e, norm2 d e = 1 -> worst_factor n z * sqrt (norm2 k (mat_vec d V e)) <= L.
Proof.
  intros Hn Hd Hk Hdivisor Hz HR HL Hmask Hfirst H e He. destruct (orthonormal_partner d e Hd He) as (g & Hpair).
  destruct (worst_score_matrix n d k V divisor e g z R attends) as (HA & X & HX & Hlow); auto.
Qed.
