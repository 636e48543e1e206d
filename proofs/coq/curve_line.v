(* A line that follows a curve on an interval: src/robust/range/range_line.h.

     |phi(t) - slope (t - middle) - height| <= error   for lo <= t <= hi

   holds with height and error from the extremes of g(t) = phi(t) - slope t, for any slope. Where phi is convex, g has
   its largest value at an end, and lies above the line g(s) + (q(s) - slope)(t - s) for any s, q(s) the derivative (or
   any member between the one-sided ones); where phi is concave, the other way round. Over a piece in which the
   second derivative may change its sign, g is within max|phi''| (t - s)^2 / 2 of its tangent at s. The slope of the
   chord is not special in this: it only makes the error small. *)
Require Import Reals Lra Lia Psatz List.
From attcert Require Import sum vector product_remainder form network form_affine.
Import ListNotations.
Open Scope R_scope.

(* phi lies above all its lines phi(s) + q(s) (t - s). *)
Definition convex_on (lo hi : R) (phi q : R -> R) : Prop :=
  forall s t, lo <= s <= hi -> lo <= t <= hi -> phi s + q s * (t - s) <= phi t.
Definition concave_on (lo hi : R) (phi q : R -> R) : Prop :=
  convex_on lo hi (fun t => - phi t) (fun t => - q t).

(* A derivative that does not fall makes it so, and a second derivative that is not negative. *)
Lemma convex_of_rising lo hi phi q :
  (forall t, lo <= t <= hi -> derivable_pt_lim phi t (q t)) ->
  (forall s t, lo <= s -> s <= t -> t <= hi -> q s <= q t) -> convex_on lo hi phi q.
Proof.
  intros Hd Hq s t Hs Ht. destruct (Rtotal_order s t) as [H | [-> | H]].
  - destruct (MVT_cor2 phi q s t H ltac:(intros; apply Hd; lra)) as (c & E & Hc).
    assert (q s <= q c) by (apply Hq; lra). nra.
  - lra.
  - destruct (MVT_cor2 phi q t s H ltac:(intros; apply Hd; lra)) as (c & E & Hc).
    assert (q c <= q s) by (apply Hq; lra). nra.
Qed.

Theorem convex_of_second_derivative lo hi phi q q' :
  (forall t, lo <= t <= hi -> derivable_pt_lim phi t (q t)) ->
  (forall t, lo <= t <= hi -> derivable_pt_lim q t (q' t)) ->
  (forall t, lo <= t <= hi -> 0 <= q' t) -> convex_on lo hi phi q.
Proof.
  intros H1 H2 H0. apply convex_of_rising; [assumption |].
  intros s t Hs [Hst | ->] Ht; [| lra].
  destruct (MVT_cor2 q q' s t Hst ltac:(intros; apply H2; lra)) as (c & E & Hc).
  assert (0 <= q' c) by (apply H0; lra). nra.
Qed.

(* The extremes of phi(t) - slope t over a piece. *)
Theorem convex_extremes lo hi phi q slope s t :
  convex_on lo hi phi q -> lo <= s <= hi -> lo <= t <= hi ->
  phi s - slope * s + (q s - slope) * (t - s) <= phi t - slope * t
  <= Rmax (phi lo - slope * lo) (phi hi - slope * hi).
Proof.
  intros H Hs Ht. split; [pose proof (H s t Hs Ht); lra |].
  pose proof (H t lo Ht ltac:(lra)) as Hlo. pose proof (H t hi Ht ltac:(lra)) as Hhi.
  destruct (Rle_or_lt slope (q t)).
  - eapply Rle_trans; [| apply Rmax_r]. assert (0 <= (q t - slope) * (hi - t)) by (apply Rmult_le_pos; lra). lra.
  - eapply Rle_trans; [| apply Rmax_l]. assert (0 <= (slope - q t) * (t - lo)) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem concave_extremes lo hi phi q slope s t :
  concave_on lo hi phi q -> lo <= s <= hi -> lo <= t <= hi ->
  Rmin (phi lo - slope * lo) (phi hi - slope * hi) <= phi t - slope * t
  <= phi s - slope * s + (q s - slope) * (t - s).
Proof.
  intros H Hs Ht. destruct (convex_extremes lo hi _ _ (- slope) s t H Hs Ht) as [H1 H2]. split; [| lra].
  unfold Rmax in H2. unfold Rmin. destruct (Rle_dec _ _) in H2; destruct (Rle_dec _ _); lra.
Qed.

(* Taylor: within M (t - s)^2 / 2 of the tangent, |phi''| <= M; phi + M t^2 / 2 is convex, phi - M t^2 / 2 concave. *)
Theorem second_order_remainder lo hi phi q q' M s t :
  (forall u, lo <= u <= hi -> derivable_pt_lim phi u (q u)) ->
  (forall u, lo <= u <= hi -> derivable_pt_lim q u (q' u)) ->
  (forall u, lo <= u <= hi -> Rabs (q' u) <= M) -> lo <= s <= hi -> lo <= t <= hi ->
  Rabs (phi t - (phi s + q s * (t - s))) <= M * (t - s) ^ 2 / 2.
Proof.
  intros H1 H2 HM Hs Ht.
  assert (Hsq : forall u, derivable_pt_lim (fun v => M / 2 * (v * v)) u (M * u)).
  { intros u. replace (M * u) with (M / 2 * (1 * u + u * 1)) by field.
    apply (derivable_pt_lim_scal (fun v => v * v)). apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id. }
  assert (Hli : forall u, derivable_pt_lim (fun v => M * v) u M).
  { intros u. pose proof (derivable_pt_lim_scal id M u 1 (derivable_pt_lim_id u)) as K.
    rewrite Rmult_1_r in K. exact K. }
  assert (Hup : convex_on lo hi (fun v => phi v + M / 2 * (v * v)) (fun v => q v + M * v)).
  { apply convex_of_second_derivative with (fun v => q' v + M).
    - intros u Hu. apply (derivable_pt_lim_plus phi (fun v => M / 2 * (v * v))); auto.
    - intros u Hu. apply (derivable_pt_lim_plus q (fun v => M * v)); auto.
    - intros u Hu. pose proof (abs_le_both _ _ (HM u Hu)). lra. }
  assert (Hdown : convex_on lo hi (fun v => M / 2 * (v * v) - phi v) (fun v => M * v - q v)).
  { apply convex_of_second_derivative with (fun v => M - q' v).
    - intros u Hu. apply (derivable_pt_lim_minus (fun v => M / 2 * (v * v)) phi); auto.
    - intros u Hu. apply (derivable_pt_lim_minus (fun v => M * v) q); auto.
    - intros u Hu. pose proof (abs_le_both _ _ (HM u Hu)). lra. }
  specialize (Hup s t Hs Ht). specialize (Hdown s t Hs Ht). simpl in Hup, Hdown. apply Rabs_le. lra.
Qed.

(* From the extremes to the line: lower and upper bounds of g over all pieces. *)
Theorem line_of_extremes phi slope middle lower upper t :
  lower <= phi t - slope * t <= upper ->
  Rabs (phi t - slope * (t - middle) - ((lower + upper) / 2 + slope * middle)) <= (upper - lower) / 2.
Proof. intros H. apply Rabs_le. lra. Qed.

(* ---- Two curves ---- *)

Definition relu (t : R) : R := Rmax t 0.

Theorem relu_convex lo hi at_zero : 0 <= at_zero <= 1 ->
  convex_on lo hi relu (fun t => if Rlt_dec 0 t then 1 else if Rlt_dec t 0 then 0 else at_zero).
Proof.
  intros H s t _ _. unfold relu, Rmax.
  destruct (Rlt_dec 0 s); [| destruct (Rlt_dec s 0)]; destruct (Rle_dec s 0); destruct (Rle_dec t 0); nra.
Qed.

Definition inverse_sqrt (t : R) : R := / sqrt t.

(* With a = sqrt s and b = sqrt t: 1/a - (b^2 - a^2) / (2 a^3) <= 1/b, as (b - a)^2 (b + 2 a) >= 0. *)
Theorem inverse_sqrt_convex lo hi : 0 < lo -> convex_on lo hi inverse_sqrt (fun t => - / (2 * t * sqrt t)).
Proof.
  intros H0 s t Hs Ht. unfold inverse_sqrt.
  assert (Ha : 0 < sqrt s) by (apply sqrt_lt_R0; lra). assert (Hb : 0 < sqrt t) by (apply sqrt_lt_R0; lra).
  pose proof (sqrt_sqrt s ltac:(lra)) as Es. pose proof (sqrt_sqrt t ltac:(lra)) as Et.
  set (a := sqrt s) in *. set (b := sqrt t) in *. rewrite <- Es, <- Et.
  assert (0 <= (b - a) ^ 2 * (b + 2 * a) / (2 * a ^ 3 * b)).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow2_ge_0 | lra] |].
    left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [| assumption].
    apply Rmult_lt_0_compat; [lra | apply pow_lt; assumption]. }
  replace (/ b) with (/ a + - / (2 * (a * a) * a) * (b * b - a * a) + (b - a) ^ 2 * (b + 2 * a) / (2 * a ^ 3 * b))
    by (field; lra).
  lra.
Qed.

(* ---- Entrywise: operation_activation ----

   Entry c of row v follows the line slope_c, height_c, error_c over its whole spread; its fresh symbol is bounded by
   error + |slope| radius. *)
Section Activation.
Variables (p : nat) (r : R).
Hypothesis Hr : 0 <= r.

Definition activation_form (n : nat) (f : form) (slope height : vector) : form :=
  {| entry_count := entry_count f; center := height;
     linear := fun c k => slope c * linear f c k;
     symbol := with_fresh n (fun c k => slope c * symbol f c k) (own (entry_count f));
     radius := fun _ => 0 |}.

Definition activation (v : nat) (phi : R -> R) : operation :=
  {| value := fun Z c => phi (Z v c);
     passes := fun l F l' f => exists slope height error,
       (forall c t, (c < entry_count (F v))%nat -> Rabs (t - center (F v) c) <= spread p r l (F v) c ->
          Rabs (phi t - slope c * (t - center (F v) c) - height c) <= error c) /\
       l' = entries (entry_count (F v)) (fun c => error c + Rabs (slope c) * radius (F v) c) :: l /\
       f = activation_form (count l) (F v) slope height |}.

Theorem activation_sound v phi : sound p r (activation v phi).
Proof.
  intros l F l' f Hfit (slope & height & error & Hline & -> & ->). simpl count.
  set (d := entry_count (F v)) in *. split; [lia |]. split.
  - intros c k Hk. simpl. apply (joined_beyond (count l) d); [assumption | intros; apply own_beyond; assumption].
  - intros eps eta Z He Hl H.
    set (u := fun c => phi (Z v c) - (height c + slope c * deviation_of p (count l) (F v) eps eta c)).
    exists (joined (count l) eta u). split; [| split].
    + apply within_joined; [assumption |]. apply entries_within. intros c Hc.
      pose proof (spread_bounds p r l (F v) eps eta (Z v) c Hr He Hl (H v) Hc) as Hs.
      specialize (Hline c (Z v c) Hc Hs). pose proof (H v c Hc) as Hh.
      apply (Rmult_le_compat_l (Rabs (slope c))) in Hh; [| apply Rabs_pos]. rewrite <- Rabs_mult in Hh.
      replace (u c) with ((phi (Z v c) - slope c * (Z v c - center (F v) c) - height c)
        + slope c * (Z v c - (center (F v) c + deviation_of p (count l) (F v) eps eta c))) by (unfold u; ring).
      eapply Rle_trans; [apply Rabs_triang |]. lra.
    + intros; apply joined_older; assumption.
    + intros c Hc. simpl in *. fold d in Hc. unfold deviation_of. simpl. unfold with_fresh.
      fold d. rewrite dot_with_fresh, dot_own by assumption. unfold u, deviation_of.
      rewrite (dot_symmetric p _ eps), (dot_symmetric (count l) _ eta), !dot_scale_r.
      rewrite (dot_symmetric p eps), (dot_symmetric (count l) eta).
      match goal with |- Rabs ?x <= _ => replace x with 0 by ring end. rewrite Rabs_R0. lra.
Qed.

End Activation.
