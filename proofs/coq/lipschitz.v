(* From the Jacobian's norm to the Lipschitz constant.

   jacobian_bounded L says ||D_X f||_2 <= L: the Jacobian at X takes no direction to more than L times its length. If
   that holds at every X with tokens in the ball of radius R, then ||f(Y) - f(X)|| <= L ||Y - X|| for all such X and Y,
   since the ball is convex: with u = f(Y) - f(X) the mean value theorem for t -> u . f(X + t (Y - X)) gives, for some t
   between 0 and 1,

     ||u||^2 = u . D f(X + t (Y - X)) (Y - X) <= ||u|| L ||Y - X||.

   No more than derivatives along lines is needed of f. The converse holds inside the ball. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian.
Open Scope R_scope.

Definition jacobian_bounded (h : head) (n : nat) (attends : mask) (X : tokens) (L : R) : Prop :=
  forall xi, sequence_norm2 n (rank h) (jacobian_times h n attends X xi) <= L ^ 2 * sequence_norm2 n (width h) xi.

Definition difference (X Y : tokens) : tokens := fun i r => Y i r - X i r.

Definition lipschitz_on_ball (h : head) (n : nat) (attends : mask) (R L : R) : Prop :=
  forall X Y, in_ball n (width h) R X -> in_ball n (width h) R Y ->
  sequence_norm2 n (rank h) (difference (attention h n attends X) (attention h n attends Y))
  <= L ^ 2 * sequence_norm2 n (width h) (difference X Y).

Lemma jacobian_bounded_no_tokens h attends X L : jacobian_bounded h 0 attends X L.
Proof. intros xi. unfold sequence_norm2; simpl. lra. Qed.

(* What both mean when read with square roots. *)
Lemma squares_to_roots A B L : 0 <= L -> 0 <= B -> A <= L ^ 2 * B -> sqrt A <= L * sqrt B.
Proof.
  intros HL HB H. apply Rle_trans with (sqrt (L ^ 2 * B)); [apply sqrt_le_1_alt; assumption |].
  rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by assumption. lra.
Qed.

(* The directional derivative D of f at X along xi, whatever way it was computed: it is J xi, and so at most L ||xi||
   long. *)
Definition directional_derivative (h : head) (n : nat) (attends : mask) (X xi D : tokens) : Prop :=
  forall i r, (i < n)%nat -> (r < rank h)%nat ->
  derivable_pt_lim (fun t => attention h n attends (along X xi t) i r) 0 (D i r).

Theorem directional_derivative_bound h n attends X L xi D :
  no_empty_row n attends -> 0 <= L -> jacobian_bounded h n attends X L -> directional_derivative h n attends X xi D ->
  sqrt (sequence_norm2 n (rank h) D) <= L * sqrt (sequence_norm2 n (width h) xi).
Proof.
  intros Hmask HL HJ HD. apply squares_to_roots; [assumption | apply sequence_norm2_nonneg |].
  eapply Rle_trans; [right | apply HJ].
  apply sum_ext; intros i Hi. apply norm2_ext; intros r Hr.
  eapply uniqueness_limite; [apply HD; assumption | apply attention_derivative; assumption].
Qed.

(* The ball is convex. *)
Lemma along_in_ball n d R X Y t :
  0 <= t <= 1 -> in_ball n d R X -> in_ball n d R Y -> in_ball n d R (along X (difference X Y) t).
Proof.
  intros Ht HX HY j Hj.
  apply Rle_trans with (norm2 d (fun c => (1 - t) * X j c + t * Y j c)).
  - right. apply norm2_ext; intros; unfold along, difference; ring.
  - replace (R ^ 2) with (((1 - t) + t) ^ 2 * R ^ 2) by ring.
    apply (norm2_triangle d (fun c => (1 - t) * X j c) (fun c => t * Y j c)); try lra.
    + apply pow2_ge_0.
    + rewrite norm2_scale. apply Rmult_le_compat_l; [apply pow2_ge_0 | apply HX; assumption].
    + rewrite norm2_scale. apply Rmult_le_compat_l; [apply pow2_ge_0 | apply HY; assumption].
Qed.

Section Line.
Variables (h : head) (n : nat) (attends : mask).
Hypothesis Hmask : no_empty_row n attends.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation f := (attention h n attends).

(* f reads only coordinates, so X + 0 xi and X give the same. *)
Lemma attention_ext X X' i r : (forall j c, X j c = X' j c) -> f X i r = f X' i r.
Proof.
  intros E.
  assert (Q : forall M b j s, mat_vec d M (X j) s + b s = mat_vec d M (X' j) s + b s).
  { intros. f_equal. apply sum_ext; intros; rewrite E; reflexivity. }
  assert (EX : forall j, exp_score h attends X i j = exp_score h attends X' i j).
  { intros j. unfold exp_score, score. destruct (attends i j); [| reflexivity]. do 2 f_equal.
    apply dot_ext; intros; apply Q. }
  unfold attention, average. apply sum_ext; intros j _. unfold weight. rewrite EX, (sum_ext n _ _ (fun j' _ => EX j')).
  f_equal. apply Q.
Qed.

(* The derivative at any t of the line, not only at 0. *)
Lemma attention_derivative_along X xi t i r : (i < n)%nat ->
  derivable_pt_lim (fun u => f (along X xi u) i r) t (jacobian_times h n attends (along X xi t) xi i r).
Proof.
  intros Hi eps He.
  destruct (attention_derivative h n attends (along X xi t) xi Hmask i r Hi eps He) as [delta Hd].
  exists delta. intros e e0 Hlt. specialize (Hd e e0 Hlt).
  rewrite (attention_ext (along (along X xi t) xi (0 + e)) (along X xi (t + e))) in Hd by (intros; unfold along; ring).
  rewrite (attention_ext (along (along X xi t) xi 0) (along X xi t)) in Hd by (intros; unfold along; ring).
  exact Hd.
Qed.

Theorem lipschitz_from_jacobian R L :
  (forall X, in_ball n d R X -> jacobian_bounded h n attends X L) -> lipschitz_on_ball h n attends R L.
Proof.
  intros HJ X Y HX HY. set (xi := difference X Y). set (u := difference (f X) (f Y)).
  set (phi := fun t => sequence_dot n k u (f (along X xi t))).
  set (dphi := fun t => sequence_dot n k u (jacobian_times h n attends (along X xi t) xi)).
  assert (Hphi : forall t, 0 <= t <= 1 -> derivable_pt_lim phi t (dphi t)).
  { intros t _. apply (derivative_sum n (fun i s => dot k (u i) (f (along X xi s) i))). intros i Hi.
    apply (derivative_sum k (fun r s => u i r * f (along X xi s) i r)). intros r _.
    apply (derivable_pt_lim_scal (fun s => f (along X xi s) i r)). apply attention_derivative_along; assumption. }
  destruct (MVT_cor2 phi dphi 0 1 Rlt_0_1 Hphi) as (t & Ht & Ht01).
  assert (Hu : phi 1 - phi 0 = sequence_norm2 n k u).
  { unfold phi, sequence_dot, sequence_norm2. rewrite <- sum_minus. apply sum_ext; intros i _.
    rewrite <- dot_minus_r, norm2_dot. apply dot_ext; [reflexivity |]. intros r _. unfold u at 1, difference.
    rewrite (attention_ext (along X xi 1) Y), (attention_ext (along X xi 0) X)
      by (intros; unfold along, xi, difference; ring).
    reflexivity. }
  rewrite Hu in Ht. replace (dphi t * (1 - 0)) with (dphi t) in Ht by ring.
  assert (HC : sequence_norm2 n k u ^ 2 <= sequence_norm2 n k u * (L ^ 2 * sequence_norm2 n d xi)).
  { rewrite Ht at 1. unfold dphi. eapply Rle_trans; [apply sequence_cauchy_schwarz |].
    apply Rmult_le_compat_l; [apply sequence_norm2_nonneg |].
    apply HJ. apply along_in_ball; [lra | assumption | assumption]. }
  pose proof (sequence_norm2_nonneg n k u). fold u.
  destruct (Req_dec (sequence_norm2 n k u) 0) as [-> | H0].
  - apply Rmult_le_pos; [apply pow2_ge_0 | apply sequence_norm2_nonneg].
  - apply Rmult_le_reg_l with (sequence_norm2 n k u); [lra |].
    replace (sequence_norm2 n k u * sequence_norm2 n k u) with (sequence_norm2 n k u ^ 2) by ring. exact HC.
Qed.

(* The converse, inside the ball: a Lipschitz constant on it bounds the Jacobian at every X of a smaller ball. With D =
   J xi and phi(t) = D . f(X + t xi), phi'(0) = ||D||^2, and (phi(t) - phi(0)) / t is at most ||D|| L ||xi|| for small
   t. *)
Lemma along_in_larger_ball R R' X xi t :
  0 <= R' -> in_ball n d R' X -> Rabs t * sqrt (sequence_norm2 n d xi) <= R - R' -> in_ball n d R (along X xi t).
Proof.
  intros HR' HX Ht j Hj.
  assert (Hs : 0 <= Rabs t * sqrt (sequence_norm2 n d xi)) by (apply Rmult_le_pos; [apply Rabs_pos | apply sqrt_pos]).
  apply Rle_trans with ((R' + Rabs t * sqrt (sequence_norm2 n d xi)) ^ 2 * 1).
  - apply (norm2_triangle d (X j) (fun c => t * xi j c)); try lra.
    + pose proof (HX j Hj). lra.
    + rewrite norm2_scale, Rpow_mult_distr, pow2_sqrt, Rmult_1_r, pow2_abs by apply sequence_norm2_nonneg.
      apply Rmult_le_compat_l; [apply pow2_ge_0 |].
      apply (sum_term_le n (fun i => norm2 d (xi i))); auto using norm2_nonneg.
  - rewrite Rmult_1_r. apply pow_incr. lra.
Qed.

Theorem jacobian_from_lipschitz R R' L X :
  0 <= R' < R -> lipschitz_on_ball h n attends R L -> in_ball n d R' X -> jacobian_bounded h n attends X L.
Proof.
  intros HR HL HX xi. set (D := jacobian_times h n attends X xi). set (N := sequence_norm2 n d xi).
  set (M := sequence_norm2 n k D).
  assert (HN : 0 <= N) by apply sequence_norm2_nonneg. assert (HM : 0 <= M) by apply sequence_norm2_nonneg.
  assert (HB : 0 <= M * (L ^ 2 * N)) by (apply Rmult_le_pos; [| apply Rmult_le_pos; [apply pow2_ge_0 |]]; assumption).
  set (phi := fun t => sequence_dot n k D (f (along X xi t))).
  assert (Hphi : derivable_pt_lim phi 0 M).
  { unfold M, sequence_norm2. rewrite (sum_ext n _ (fun i => dot k (D i) (D i))) by (intros; apply norm2_dot).
    apply (derivative_sum n (fun i s => dot k (D i) (f (along X xi s) i))). intros i Hi.
    apply (derivative_sum k (fun r s => D i r * f (along X xi s) i r)). intros r _.
    apply (derivable_pt_lim_scal (fun s => f (along X xi s) i r)). apply attention_derivative; assumption. }
  (* Quotients of small steps are bounded ... *)
  assert (Hstep : forall t, t <> 0 -> Rabs t * sqrt N <= R - R' -> (phi (0 + t) - phi 0) / t <= sqrt (M * (L ^ 2 * N))).
  { intros t Ht Hsmall. apply square_le_le; [| apply sqrt_pos]. rewrite pow2_sqrt by assumption.
    assert (E : phi (0 + t) - phi 0 = sequence_dot n k D (difference (f X) (f (along X xi t)))).
    { unfold phi, sequence_dot. rewrite <- sum_minus. apply sum_ext; intros i _. rewrite <- dot_minus_r.
      apply dot_ext; [reflexivity |]. intros r _. unfold difference.
      rewrite (attention_ext (along X xi (0 + t)) (along X xi t)), (attention_ext (along X xi 0) X)
        by (intros; unfold along; ring).
      reflexivity. }
    assert (HS : (phi (0 + t) - phi 0) ^ 2 <= M * (L ^ 2 * (t ^ 2 * N))).
    { rewrite E. eapply Rle_trans; [apply sequence_cauchy_schwarz |]. apply Rmult_le_compat_l; [assumption |].
      eapply Rle_trans; [apply HL |].
      - intros j Hj. eapply Rle_trans; [apply HX; assumption | apply pow_incr; lra].
      - apply (along_in_larger_ball R R'); [lra | assumption | assumption].
      - apply Rmult_le_compat_l; [apply pow2_ge_0 |]. right. unfold N, sequence_norm2. rewrite <- sum_scale.
        apply sum_ext; intros j _. rewrite <- norm2_scale. apply norm2_ext; intros; unfold difference, along; ring. }
    assert (Ht2 : 0 < t ^ 2) by (rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; assumption).
    apply Rmult_le_reg_r with (t ^ 2); [assumption |].
    replace (((phi (0 + t) - phi 0) / t) ^ 2 * t ^ 2) with ((phi (0 + t) - phi 0) ^ 2) by (field; assumption). lra. }
  (* ... and so is their limit ||D||^2. *)
  assert (HMB : M <= sqrt (M * (L ^ 2 * N))).
  { apply Rnot_lt_le. intros Hlt. destruct (Hphi (M - sqrt (M * (L ^ 2 * N)))) as [delta Hd]; [lra |].
    pose proof (cond_pos delta) as Hdelta. pose proof (sqrt_pos N) as Hs.
    set (t := Rmin (delta / 2) ((R - R') / (1 + sqrt N))).
    assert (Hq : 0 < (R - R') / (1 + sqrt N)) by (apply Rdiv_lt_0_compat; lra).
    assert (Ht : 0 < t) by (apply Rmin_glb_lt; lra).
    assert (Htd : t <= delta / 2) by apply Rmin_l. assert (Htq : t <= (R - R') / (1 + sqrt N)) by apply Rmin_r.
    assert (Htabs : Rabs t = t) by (apply Rabs_pos_eq; lra).
    assert (Hsmall : Rabs t * sqrt N <= R - R').
    { rewrite Htabs. apply Rle_trans with (t * (1 + sqrt N)); [lra |].
      apply Rle_trans with ((R - R') / (1 + sqrt N) * (1 + sqrt N)); [apply Rmult_le_compat_r; lra |].
      right; field; lra. }
    assert (Ht0 : t <> 0) by lra. specialize (Hd t Ht0). rewrite Htabs in Hd. specialize (Hd ltac:(lra)).
    pose proof (Hstep t Ht0 Hsmall). apply Rabs_def2 in Hd. lra. }
  assert (HMB2 : M ^ 2 <= sqrt (M * (L ^ 2 * N)) ^ 2) by (apply pow_incr; lra).
  rewrite pow2_sqrt in HMB2 by assumption.
  destruct (Req_dec M 0) as [M0 | M0]; [fold D M N; rewrite M0; apply Rmult_le_pos; [apply pow2_ge_0 | assumption] |].
  apply Rmult_le_reg_l with M; [lra |]. fold D M N. lra.
Qed.

End Line.
