(* T11: how much ||D f|| can grow from X to X + E, from a bound of the second derivative in between.

   If |U . D^2 f(X + E)[E', F]| <= T_k ||U|| ||E'|| ||F|| for all E in the region of radius r_{k+1}, all U, F and all E'
   that move only what may move, 0 = r_0 <= r_1 <= ... <= r_s, then for all E in the region of radius r_s

     ||D_{X+E} f|| <= ||D_X f|| + root sum_k (r_{k+1} - r_k) T_k,

   where ||E||_F <= root r on the region of radius r: root = 1 where the sequence moves by r at most, and the square
   root of the number of tokens that move where each of them does. The sum is what src/ball/ball_upper.c evaluates for
   the integral of T.

   Proof. With U = D_{X+E} f F, psi(u) = U . D_{X+uE} f F has the derivative U . D^2 f(X + u E)[E, F], and u E is in
   the region of radius u r_s: on the step from r_k / r_s to r_{k+1} / r_s it is at most T_k ||U|| root r_s ||F||. The
   mean value theorem on every step gives ||U||^2 = psi(1) <= psi(0) + ||U|| root sum_k (r_{k+1} - r_k) T_k ||F||, and
   psi(0) <= ||U|| ||D_X f|| ||F||. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz heads.
From attcert Require Import softmax_mean second_derivative norm.
Open Scope R_scope.

(* ---- A function of one variable ---- *)

Lemma growth_on_step psi dpsi D a b :
  a <= b -> (forall u, derivable_pt_lim psi u (dpsi u)) -> (forall u, a <= u <= b -> Rabs (dpsi u) <= D) ->
  Rabs (psi b - psi a) <= (b - a) * D.
Proof.
  intros Hab Hpsi HD. destruct (Rle_lt_or_eq_dec a b Hab) as [Hlt | <-].
  - destruct (MVT_cor2 psi dpsi a b Hlt (fun u _ => Hpsi u)) as (u & -> & Hu).
    rewrite Rabs_mult, (Rabs_pos_eq (b - a)) by lra. rewrite Rmult_comm.
    apply Rmult_le_compat_l; [lra | apply HD; lra].
  - rewrite !Rminus_eq_0, Rabs_R0. lra.
Qed.

Lemma growth_on_steps s (t D : nat -> R) psi dpsi :
  (forall k, (k < s)%nat -> t k <= t (S k)) -> (forall u, derivable_pt_lim psi u (dpsi u)) ->
  (forall k u, (k < s)%nat -> t k <= u <= t (S k) -> Rabs (dpsi u) <= D k) ->
  Rabs (psi (t s) - psi (t 0%nat)) <= sum s (fun k => (t (S k) - t k) * D k).
Proof.
  intros Ht Hpsi HD. induction s; [simpl; rewrite Rminus_eq_0, Rabs_R0; lra |].
  cbn [sum]. replace (psi (t (S s)) - psi (t 0%nat)) with ((psi (t s) - psi (t 0%nat)) + (psi (t (S s)) - psi (t s)))
    by ring.
  eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat.
  - apply IHs; auto.
  - apply (growth_on_step psi dpsi); auto.
Qed.

(* ---- Regions ---- *)

(* Only tokens i with moving i move. *)
Definition moves_only (moving : nat -> bool) (n d : nat) (E : tokens) : Prop :=
  forall i c, (i < n)%nat -> (c < d)%nat -> moving i = false -> E i c = 0.

Definition scaled (t : R) (E : tokens) : tokens := fun i c => t * E i c.

(* A family of sets of displacements, of radius r each, no longer than root r. *)
Record region_family (moving : nat -> bool) (n d : nat) (root : R) (region : R -> tokens -> Prop) : Prop := {
  region_moves : forall r E, region r E -> moves_only moving n d E;
  region_length : forall r E, 0 <= r -> region r E -> sequence_norm n d E <= root * r;
  region_scaled : forall r t E, 0 <= t -> region r E -> region (t * r) (scaled t E);
  region_larger : forall r r' E, 0 <= r <= r' -> region r E -> region r' E
}.

Definition sequence_ball (moving : nat -> bool) (n d : nat) (r : R) (E : tokens) : Prop :=
  moves_only moving n d E /\ sequence_norm2 n d E <= r ^ 2.
Definition token_ball (moving : nat -> bool) (n d : nat) (r : R) (E : tokens) : Prop :=
  moves_only moving n d E /\ in_ball n d r E.

Definition moving_count (moving : nat -> bool) (n : nat) : R := sum n (fun i => if moving i then 1 else 0).

Lemma moves_only_scaled moving n d t E : moves_only moving n d E -> moves_only moving n d (scaled t E).
Proof. intros H i c Hi Hc Hm. unfold scaled. rewrite (H i c Hi Hc Hm). ring. Qed.

Lemma norm2_scaled d t E i : norm2 d (scaled t E i) = t ^ 2 * norm2 d (E i).
Proof. apply norm2_scale. Qed.

Lemma sequence_ball_family moving n d : region_family moving n d 1 (sequence_ball moving n d).
Proof.
  split.
  - intros r E [H _]; exact H.
  - intros r E Hr [_ H]. apply sequence_norm_le; [lra |]. rewrite Rmult_1_l. assumption.
  - intros r t E Ht [Hm H]. split; [apply moves_only_scaled; assumption |].
    unfold sequence_norm2. rewrite (sum_ext n _ (fun i => t ^ 2 * norm2 d (E i))) by (intros; apply norm2_scaled).
    rewrite sum_scale, Rpow_mult_distr. apply Rmult_le_compat_l; [apply pow2_ge_0 | assumption].
  - intros r r' E Hr [Hm H]. split; [assumption |]. eapply Rle_trans; [eassumption | apply pow_incr; assumption].
Qed.

Lemma token_ball_family moving n d : region_family moving n d (sqrt (moving_count moving n)) (token_ball moving n d).
Proof.
  assert (Hcount : 0 <= moving_count moving n) by (apply sum_nonneg; intros i _; destruct (moving i); lra).
  split.
  - intros r E [H _]; exact H.
  - intros r E Hr [Hm H]. apply sequence_norm_le; [apply Rmult_le_pos; [apply sqrt_pos | assumption] |].
    rewrite Rpow_mult_distr, pow2_sqrt by assumption. unfold moving_count. rewrite <- sum_scale_r.
    apply sum_le; intros i Hi. destruct (moving i) eqn:Ei; [rewrite Rmult_1_l; apply H; assumption |].
    right. rewrite Rmult_0_l. apply sum_zero; intros c Hc. rewrite (Hm i c Hi Hc Ei). ring.
  - intros r t E Ht [Hm H]. split; [apply moves_only_scaled; assumption |].
    intros i Hi. rewrite norm2_scaled, Rpow_mult_distr. apply Rmult_le_compat_l; [apply pow2_ge_0 | auto].
  - intros r r' E Hr [Hm H]. split; [assumption |].
    intros i Hi. eapply Rle_trans; [apply H; assumption | apply pow_incr; assumption].
Qed.

(* ---- Growth of a derivative ----

   J X F is the derivative of a function of n tokens in R^d at X along F, m numbers for each token, D2 X E F its
   derivative along E. *)

Definition displaced (X E : tokens) : tokens := fun i c => X i c + E i c.

Definition derivative_bounded (n d m : nat) (J : tokens -> tokens) (L : R) : Prop :=
  forall F, sequence_norm2 n m (J F) <= L ^ 2 * sequence_norm2 n d F.

Definition bilinear_bounded (moving : nat -> bool) (n d m : nat) (D2 : tokens -> tokens -> tokens) (T : R) : Prop :=
  forall U E F, moves_only moving n d E ->
  Rabs (sequence_dot n m U (D2 E F)) <= T * (sequence_norm n m U * sequence_norm n d E * sequence_norm n d F).

Section Growth.
Variables (moving : nat -> bool) (n d m : nat) (J : tokens -> tokens -> tokens).
Variable D2 : tokens -> tokens -> tokens -> tokens.
Hypothesis HD2 : forall X E F i r t, (i < n)%nat -> (r < m)%nat ->
  derivable_pt_lim (fun u => J (along X E u) F i r) t (D2 (along X E t) E F i r).
Variables (root : R) (region : R -> tokens -> Prop).
Hypothesis Hregion : region_family moving n d root region.
Variables (X : tokens) (s : nat) (r T : nat -> R).
Hypothesis Hr0 : r 0%nat = 0.
Hypothesis Hrs : 0 < r s.
Hypothesis Hstep : forall k, (k < s)%nat -> r k <= r (S k).
Hypothesis HT0 : forall k, (k < s)%nat -> 0 <= T k.
Hypothesis HT : forall k E, (k < s)%nat -> region (r (S k)) E ->
  bilinear_bounded moving n d m (D2 (displaced X E)) (T k).

Lemma derivative_of_pairing U E F t :
  derivable_pt_lim (fun u => sequence_dot n m U (J (along X E u) F)) t
    (sequence_dot n m U (D2 (along X E t) E F)).
Proof.
  apply (derivative_sum n (fun i u => dot m (U i) (J (along X E u) F i))). intros i Hi.
  apply (derivative_sum m (fun c u => U i c * J (along X E u) F i c)). intros c Hc.
  apply (derivable_pt_lim_scal (fun u => J (along X E u) F i c)). apply HD2; assumption.
Qed.

Lemma radius_nonneg k : (k <= s)%nat -> 0 <= r k.
Proof.
  intros Hk. induction k; [lra |]. assert (r k <= r (S k)) by (apply Hstep; lia).
  assert (0 <= r k) by (apply IHk; lia). lra.
Qed.

Lemma growth_of_pairing U E F : region (r s) E ->
  Rabs (sequence_dot n m U (J (displaced X E) F) - sequence_dot n m U (J X F))
  <= root * sum s (fun k => (r (S k) - r k) * T k) * (sequence_norm n m U * sequence_norm n d F).
Proof.
  intros HE. destruct Hregion as [Rmoves Rlength Rscaled Rlarger].
  set (psi := fun u => sequence_dot n m U (J (along X E u) F)).
  set (C := sequence_norm n m U * sequence_norm n d F).
  assert (HC : 0 <= C) by (apply Rmult_le_pos; apply sequence_norm_nonneg).
  assert (H : Rabs (psi (r s / r s) - psi (r 0%nat / r s))
    <= sum s (fun k => (r (S k) / r s - r k / r s) * (T k * (root * r s) * C))).
  { apply (growth_on_steps s (fun k => r k / r s) (fun k => T k * (root * r s) * C) psi
      (fun u => sequence_dot n m U (D2 (along X E u) E F))).
    - intros k Hk. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat |]; auto.
    - intros u. apply derivative_of_pairing.
    - intros k u Hk [Hlow Hup].
      assert (Hu : 0 <= u).
      { eapply Rle_trans; [| apply Hlow]. apply Rmult_le_pos; [apply radius_nonneg; lia |].
        left; apply Rinv_0_lt_compat; assumption. }
      assert (Hur : u * r s <= r (S k)).
      { apply Rmult_le_reg_r with (/ r s); [apply Rinv_0_lt_compat; assumption |].
        rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. exact Hup. }
      assert (Hin : region (r (S k)) (scaled u E)).
      { apply (Rlarger (u * r s)); [split; [apply Rmult_le_pos; lra | assumption] |]. apply Rscaled; assumption. }
      change (along X E u) with (displaced X (scaled u E)).
      eapply Rle_trans; [apply (HT k (scaled u E) Hk Hin U E F); eapply Rmoves; eassumption |].
      rewrite (Rmult_assoc (T k)). apply Rmult_le_compat_l; [auto |].
      replace (sequence_norm n m U * sequence_norm n d E * sequence_norm n d F) with (sequence_norm n d E * C)
        by (unfold C; ring).
      apply Rmult_le_compat_r; [assumption |]. apply Rlength; [lra | assumption]. }
  replace (r s / r s) with 1 in H by (field; lra). replace (r 0%nat / r s) with 0 in H by (rewrite Hr0; field; lra).
  unfold psi in H. rewrite along_at_0 in H.
  replace (along X E 1) with (displaced X E) in H
    by (apply tokens_ext; intros; unfold along, displaced; ring).
  eapply Rle_trans; [exact H |]. right. rewrite Rmult_assoc, <- sum_scale_r, <- sum_scale.
  apply sum_ext; intros k _. field. lra.
Qed.

Theorem growth_from_curvature L E :
  0 <= L -> 0 <= root -> region (r s) E -> derivative_bounded n d m (J X) L ->
  derivative_bounded n d m (J (displaced X E)) (L + root * sum s (fun k => (r (S k) - r k) * T k)).
Proof.
  intros HL Hroot HE HX F. set (G := root * sum s (fun k => (r (S k) - r k) * T k)).
  assert (HG : 0 <= G).
  { apply Rmult_le_pos; [assumption |]. apply sum_nonneg; intros k Hk. pose proof (Hstep k Hk).
    apply Rmult_le_pos; [lra | auto]. }
  set (U := J (displaced X E) F). set (q := sequence_norm n m U). set (p := sequence_norm n d F).
  assert (Hq : 0 <= q) by apply sequence_norm_nonneg. assert (Hp : 0 <= p) by apply sequence_norm_nonneg.
  assert (HJ : sequence_norm n m (J X F) <= L * p).
  { apply sequence_norm_le; [apply Rmult_le_pos; assumption |].
    rewrite Rpow_mult_distr. unfold p. rewrite sequence_norm_square. apply HX. }
  assert (E1 : sequence_dot n m U U = q ^ 2).
  { unfold q. rewrite sequence_norm_square. apply sum_ext; intros; symmetry; apply norm2_dot. }
  pose proof (growth_of_pairing U E F HE) as H1. fold U G q p in H1. rewrite E1 in H1.
  pose proof (sequence_dot_le_norms n m U (J X F)) as H2. fold q in H2.
  pose proof (Rle_abs (q ^ 2 - sequence_dot n m U (J X F))). pose proof (Rle_abs (sequence_dot n m U (J X F))).
  assert (H3 : q * sequence_norm n m (J X F) <= q * (L * p)) by (apply Rmult_le_compat_l; assumption).
  assert (HQ : q <= (L + G) * p).
  { destruct (Req_dec q 0) as [-> | Hq0]; [apply Rmult_le_pos; lra |].
    apply Rmult_le_reg_l with q; lra. }
  rewrite <- !sequence_norm_square. fold q p. rewrite <- Rpow_mult_distr. apply pow_incr. lra.
Qed.

End Growth.

(* ---- One head, and a layer of several ---- *)

(* T_k bounds the second derivative on the region of radius r_{k+1}. *)
Definition step_radii (s : nat) (r : nat -> R) : Prop :=
  r 0%nat = 0 /\ 0 < r s /\ forall k, (k < s)%nat -> r k <= r (S k).
Definition growth (root : R) (s : nat) (r T : nat -> R) : R := root * sum s (fun k => (r (S k) - r k) * T k).

Theorem head_growth h n attends moving root region X s r T L E :
  no_empty_row n attends -> region_family moving n (width h) root region -> 0 <= root -> step_radii s r ->
  (forall k, (k < s)%nat -> 0 <= T k) ->
  (forall k E, (k < s)%nat -> region (r (S k)) E ->
     bilinear_bounded moving n (width h) (rank h) (second_derivative h n attends (displaced X E)) (T k)) ->
  0 <= L -> jacobian_bounded h n attends X L -> region (r s) E ->
  jacobian_bounded h n attends (displaced X E) (L + growth root s r T).
Proof.
  intros Hmask Hregion Hroot (Hr0 & Hrs & Hr) HT0 HT HL HX HE.
  apply (growth_from_curvature moving n (width h) (rank h) (jacobian_times h n attends) (second_derivative h n attends))
    with (region := region); auto.
  intros. apply second_derivative_along; assumption.
Qed.
