(* The roundings of sums and products, in any order, with or without fused operations.

   Every operation of double arithmetic is off by a relative error of at most u = 2^-53 and, where its result is
   subnormal, by at most tau = 2^-1075 (double_arithmetic.v proves both):

     fl(x + y) = (x + y)(1 + d),   fl(x y) = x y (1 + d) + e,   fl(x y + z) = (x y + z)(1 + d) + e,

   |d| <= u, |e| <= tau; a sum of doubles does not underflow, and a scaling by a power of two does nothing else. An
   expression of stored numbers is computed as it stands, bracket by bracket. With m roundings on its longest path, and
   |e| the same expression in absolute values,

     |fl(e) - e| <= ((1 + u)^m - 1) |e| + lost,    (1 + u)^m - 1 <= gamma_m = m u / (1 - m u),

   `lost` what underflows, each loss times what it is multiplied by later. *)
Require Import Reals Lra Lia.
Open Scope R_scope.

Lemma abs_between x y : Rabs x <= y -> - y <= x <= y.
Proof. intros H. pose proof (Rle_abs x). pose proof (Rle_abs (- x)) as N. rewrite Rabs_Ropp in N. lra. Qed.

Section Rounding.

Variables u tau : R.
Hypothesis unit_nonneg : 0 <= u.
Hypothesis unit_small : u < 1.
Hypothesis tau_nonneg : 0 <= tau.

(* ---- gamma_m ---- *)

Definition gamma (m : nat) : R := INR m * u / (1 - INR m * u).

Lemma count_nonneg m : 0 <= INR m * u.
Proof. apply Rmult_le_pos; [apply pos_INR | assumption]. Qed.

Lemma one_plus_gamma m : INR m * u < 1 -> 1 + gamma m = / (1 - INR m * u).
Proof. intros H. unfold gamma. field. lra. Qed.

Lemma gamma_nonneg m : INR m * u < 1 -> 0 <= gamma m.
Proof.
  intros H. apply Rmult_le_pos; [apply count_nonneg | left; apply Rinv_0_lt_compat; lra].
Qed.

Lemma count_le_gamma m : INR m * u < 1 -> INR m * u <= gamma m.
Proof.
  intros H. pose proof (count_nonneg m) as C. unfold gamma. set (c := INR m * u) in *.
  apply Rmult_le_reg_r with (1 - c); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

Lemma gamma_le m k : (m <= k)%nat -> INR k * u < 1 -> gamma m <= gamma k.
Proof.
  intros H Hk. apply le_INR in H. assert (INR m * u <= INR k * u) by (apply Rmult_le_compat_r; assumption).
  apply Rplus_le_reg_l with 1. rewrite !one_plus_gamma by lra. apply Rinv_le_contravar; lra.
Qed.

(* Errors one after the other: (1 + gamma_a)(1 + gamma_b) <= 1 + gamma_(a+b). *)
Theorem gamma_sum a b : INR (a + b) * u < 1 -> gamma a + gamma b + gamma a * gamma b <= gamma (a + b).
Proof.
  intros H. rewrite plus_INR in H. pose proof (count_nonneg a). pose proof (count_nonneg b).
  assert (E : (1 + gamma a) * (1 + gamma b) <= 1 + gamma (a + b)); [| lra].
  rewrite !one_plus_gamma by (rewrite ?plus_INR; lra). rewrite <- Rinv_mult, plus_INR.
  apply Rinv_le_contravar; [lra | nra].
Qed.

Lemma bernoulli m : INR m * u < 1 -> 1 - INR m * u <= (1 - u) ^ m.
Proof.
  induction m as [| m IH]; [simpl; lra |]. rewrite S_INR. intros H.
  assert (1 - INR m * u <= (1 - u) ^ m) by (apply IH; lra). pose proof (count_nonneg m). simpl. nra.
Qed.

(* (1 + u)^m, what m roundings make of 1 at most. *)
Lemma power_positive m : 0 < (1 + u) ^ m.
Proof. apply pow_lt. lra. Qed.

Lemma power_ge_1 m : 1 <= (1 + u) ^ m.
Proof. apply pow_R1_Rle. lra. Qed.

Lemma power_le m k : (m <= k)%nat -> (1 + u) ^ m <= (1 + u) ^ k.
Proof. intros H. apply Rle_pow; [lra | assumption]. Qed.

Theorem power_le_gamma m : INR m * u < 1 -> (1 + u) ^ m - 1 <= gamma m.
Proof.
  intros H. pose proof (bernoulli m H) as Hb.
  assert ((1 + u) ^ m * (1 - u) ^ m <= 1).
  { rewrite <- Rpow_mult_distr. apply Rle_trans with (1 ^ m); [| rewrite pow1; lra]. apply pow_incr. nra. }
  assert ((1 + u) ^ m <= 1 + gamma m); [| lra].
  rewrite one_plus_gamma by assumption. pose proof (power_positive m).
  apply Rmult_le_reg_r with (1 - INR m * u); [lra |]. rewrite Rinv_l by lra. nra.
Qed.

Lemma power_le_2 m : INR m * u <= 1 / 2 -> (1 + u) ^ m <= 2.
Proof.
  intros H. apply Rle_trans with (1 + gamma m); [pose proof (power_le_gamma m); lra |].
  rewrite one_plus_gamma by lra. replace 2 with (/ (1 / 2)) by field. apply Rinv_le_contravar; lra.
Qed.

(* A product of m factors 1 + d or 1 / (1 + d), |d| <= u. *)
Inductive factors : nat -> R -> Prop :=
  | no_factor : factors 0 1
  | one_more m f d : factors m f -> Rabs d <= u -> factors (S m) (f * (1 + d))
  | one_less m f d : factors m f -> Rabs d <= u -> factors (S m) (f / (1 + d)).

Lemma factors_between m f : factors m f -> (1 - u) ^ m <= f <= / (1 - u) ^ m.
Proof.
  assert (Hd : forall d, Rabs d <= u -> 1 - u <= 1 + d <= / (1 - u)).
  { intros d H. apply abs_between in H. split; [lra |].
    apply Rmult_le_reg_r with (1 - u); [lra |]. rewrite Rinv_l by lra. nra. }
  assert (step : forall k g e, (1 - u) ^ k <= g <= / (1 - u) ^ k -> 1 - u <= e <= / (1 - u) ->
    (1 - u) ^ S k <= g * e <= / (1 - u) ^ S k).
  { intros k g e Hg He. assert (0 < (1 - u) ^ k) by (apply pow_lt; lra). simpl. split.
    - rewrite Rmult_comm. apply Rmult_le_compat; lra.
    - rewrite Rinv_mult, Rmult_comm. apply Rmult_le_compat; lra. }
  induction 1 as [| m f d H IH D | m f d H IH D]; [simpl; lra | apply step; auto |].
  apply step; [assumption |]. specialize (Hd d D). apply abs_between in D. split.
  - rewrite <- (Rinv_inv (1 - u)). apply Rinv_le_contravar; lra.
  - apply Rinv_le_contravar; lra.
Qed.

Theorem factors_near_1 m f : factors m f -> INR m * u < 1 -> Rabs (f - 1) <= gamma m.
Proof.
  intros H Hm. destruct (factors_between m f H) as [Hl Hr]. pose proof (bernoulli m Hm).
  pose proof (count_le_gamma m Hm). apply Rabs_le. split; [lra |].
  assert (/ (1 - u) ^ m <= 1 + gamma m); [| lra].
  rewrite one_plus_gamma by assumption. apply Rinv_le_contravar; lra.
Qed.

Lemma factors_positive m f : factors m f -> 0 < f.
Proof. intros H. destruct (factors_between m f H). assert (0 < (1 - u) ^ m) by (apply pow_lt; lra). lra. Qed.

(* ---- Expressions ---- *)

Inductive expression : Type :=
  | Stored (x : R)
  | Opposite (a : expression)
  | Scaled (s : R) (a : expression)      (* s a, s a power of two *)
  | Add (a b : expression)
  | Multiply (a b : expression)
  | Fused (a b c : expression).          (* a b + c, rounded once *)

Fixpoint exact (e : expression) : R :=
  match e with
  | Stored x => x
  | Opposite a => - exact a
  | Scaled s a => s * exact a
  | Add a b => exact a + exact b
  | Multiply a b => exact a * exact b
  | Fused a b c => exact a * exact b + exact c
  end.

(* The same in absolute values. *)
Fixpoint magnitude (e : expression) : R :=
  match e with
  | Stored x => Rabs x
  | Opposite a => magnitude a
  | Scaled s a => Rabs s * magnitude a
  | Add a b => magnitude a + magnitude b
  | Multiply a b => magnitude a * magnitude b
  | Fused a b c => magnitude a * magnitude b + magnitude c
  end.

(* On the longest path; the two sides of a product meet on it. *)
Fixpoint roundings (e : expression) : nat :=
  match e with
  | Stored _ => 0
  | Opposite a | Scaled _ a => roundings a
  | Add a b => S (Nat.max (roundings a) (roundings b))
  | Multiply a b => S (roundings a + roundings b)
  | Fused a b c => S (Nat.max (roundings a + roundings b) (roundings c))
  end.

(* What underflows in it and in its parts. *)
Definition size (e : expression) : R := (1 + u) ^ roundings e * magnitude e.
Fixpoint lost (e : expression) : R :=
  match e with
  | Stored _ => 0
  | Opposite a => lost a
  | Scaled s a => Rabs s * lost a + tau
  | Add a b => (1 + u) * (lost a + lost b)
  | Multiply a b => (1 + u) * (lost a * size b + size a * lost b + lost a * lost b) + tau
  | Fused a b c => (1 + u) * (lost a * size b + size a * lost b + lost a * lost b + lost c) + tau
  end.

Inductive computes : expression -> R -> Prop :=
  | computes_stored x : computes (Stored x) x
  | computes_opposite a x : computes a x -> computes (Opposite a) (- x)
  | computes_scaled s a x e : computes a x -> Rabs e <= tau -> computes (Scaled s a) (s * x + e)
  | computes_add a b x y d : computes a x -> computes b y -> Rabs d <= u -> computes (Add a b) ((x + y) * (1 + d))
  | computes_multiply a b x y d e : computes a x -> computes b y -> Rabs d <= u -> Rabs e <= tau ->
      computes (Multiply a b) (x * y * (1 + d) + e)
  | computes_fused a b c x y z d e : computes a x -> computes b y -> computes c z -> Rabs d <= u -> Rabs e <= tau ->
      computes (Fused a b c) ((x * y + z) * (1 + d) + e).

Lemma magnitude_nonneg e : 0 <= magnitude e.
Proof.
  induction e; simpl; try assumption; try apply Rabs_pos; repeat apply Rplus_le_le_0_compat; try assumption;
    apply Rmult_le_pos; try assumption; apply Rabs_pos.
Qed.

Lemma exact_le_magnitude e : Rabs (exact e) <= magnitude e.
Proof.
  induction e; simpl.
  - lra.
  - rewrite Rabs_Ropp. assumption.
  - rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | assumption].
  - eapply Rle_trans; [apply Rabs_triang | lra].
  - rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption.
  - eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat; [| assumption].
    rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption.
Qed.

Lemma size_nonneg e : 0 <= size e.
Proof. apply Rmult_le_pos; [left; apply power_positive | apply magnitude_nonneg]. Qed.

Lemma lost_nonneg e : 0 <= lost e.
Proof.
  assert (forall a b, 0 <= lost a -> 0 <= lost b -> 0 <= lost a * size b + size a * lost b + lost a * lost b).
  { intros a b Ha Hb. pose proof (size_nonneg a). pose proof (size_nonneg b).
    repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; assumption. }
  induction e; simpl; try lra; try apply Rplus_le_le_0_compat; try assumption;
    apply Rmult_le_pos; try apply Rabs_pos; try lra; auto.
  - apply Rplus_le_le_0_compat; auto.
Qed.

(* One rounding of a number X that is known up to E, of magnitude at most M. *)
Lemma one_rounding X Y E M d : Rabs (Y - X) <= E -> Rabs X <= M -> Rabs d <= u ->
  Rabs (Y * (1 + d) - X) <= (1 + u) * E + u * M.
Proof.
  intros HE HM Hd. replace (Y * (1 + d) - X) with ((Y - X) + d * ((Y - X) + X)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_mult.
  assert (Rabs ((Y - X) + X) <= E + M) by (eapply Rle_trans; [apply Rabs_triang | lra]).
  assert (Rabs d * Rabs (Y - X + X) <= u * (E + M)).
  { apply Rmult_le_compat; try apply Rabs_pos; assumption. }
  lra.
Qed.

(* A product of two numbers that are known up to (P - 1) |.| and losses. *)
Lemma one_product x y X Y P Q M N a b : Rabs (x - X) <= (P - 1) * M + a -> Rabs (y - Y) <= (Q - 1) * N + b ->
  Rabs X <= M -> Rabs Y <= N -> 1 <= P -> 1 <= Q -> 0 <= a -> 0 <= b ->
  Rabs (x * y - X * Y) <= (P * Q - 1) * (M * N) + (a * (Q * N) + P * M * b + a * b).
Proof.
  intros Hx Hy HX HY HP HQ Ha Hb.
  assert (HM : 0 <= M) by (pose proof (Rabs_pos X); lra). assert (HN : 0 <= N) by (pose proof (Rabs_pos Y); lra).
  replace (x * y - X * Y) with ((x - X) * (y - Y) + (x - X) * Y + X * (y - Y)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang |].
  rewrite !Rabs_mult.
  assert (Rabs (x - X) * Rabs (y - Y) <= ((P - 1) * M + a) * ((Q - 1) * N + b)).
  { apply Rmult_le_compat; try apply Rabs_pos; assumption. }
  assert (Rabs (x - X) * Rabs Y <= ((P - 1) * M + a) * N) by (apply Rmult_le_compat; try apply Rabs_pos; assumption).
  assert (Rabs X * Rabs (y - Y) <= M * ((Q - 1) * N + b)) by (apply Rmult_le_compat; try apply Rabs_pos; assumption).
  apply Rle_trans with (((P - 1) * M + a) * ((Q - 1) * N + b) + ((P - 1) * M + a) * N + M * ((Q - 1) * N + b)); [lra |].
  right. ring.
Qed.

Lemma widen p q M : (p <= q)%nat -> 0 <= M -> ((1 + u) ^ p - 1) * M <= ((1 + u) ^ q - 1) * M.
Proof. intros H HM. apply Rmult_le_compat_r; [assumption |]. pose proof (power_le p q H). lra. Qed.

Lemma product_error a b x y : Rabs (x - exact a) <= ((1 + u) ^ roundings a - 1) * magnitude a + lost a ->
  Rabs (y - exact b) <= ((1 + u) ^ roundings b - 1) * magnitude b + lost b ->
  Rabs (x * y - exact a * exact b)
  <= ((1 + u) ^ (roundings a + roundings b) - 1) * (magnitude a * magnitude b)
     + (lost a * size b + size a * lost b + lost a * lost b).
Proof.
  intros Hx Hy. rewrite pow_add. unfold size.
  apply one_product; auto using exact_le_magnitude, power_ge_1, lost_nonneg.
Qed.

Theorem rounded_expression e x : computes e x ->
  Rabs (x - exact e) <= ((1 + u) ^ roundings e - 1) * magnitude e + lost e.
Proof.
  induction 1 as [x | a x H IH | s a x e H IH He | a b x y d Ha IHa Hb IHb Hd | a b x y d e Ha IHa Hb IHb Hd He
                  | a b c x y z d e Ha IHa Hb IHb Hc IHc Hd He]; cbn [exact magnitude roundings lost].
  - rewrite Rminus_eq_0, Rabs_R0. simpl. pose proof (Rabs_pos x). lra.
  - replace (- x - - exact a) with (- (x - exact a)) by ring. rewrite Rabs_Ropp. assumption.
  - replace (s * x + e - s * exact a) with (s * (x - exact a) + e) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_mult. pose proof (Rabs_pos s) as Hs.
    apply (Rmult_le_compat_l _ _ _ Hs) in IH. nra.
  - set (k := Nat.max (roundings a) (roundings b)).
    assert (Rabs (x + y - (exact a + exact b))
      <= ((1 + u) ^ k - 1) * (magnitude a + magnitude b) + (lost a + lost b)) as E.
    { replace (x + y - (exact a + exact b)) with ((x - exact a) + (y - exact b)) by ring.
      eapply Rle_trans; [apply Rabs_triang |].
      pose proof (widen (roundings a) k (magnitude a) (Nat.le_max_l _ _) (magnitude_nonneg a)).
      pose proof (widen (roundings b) k (magnitude b) (Nat.le_max_r _ _) (magnitude_nonneg b)). lra. }
    pose proof (one_rounding _ _ _ _ d E (exact_le_magnitude (Add a b)) Hd). cbn [magnitude] in *.
    rewrite <- tech_pow_Rmult. lra.
  - pose proof (product_error a b x y IHa IHb) as E.
    pose proof (one_rounding _ _ _ _ d E (exact_le_magnitude (Multiply a b)) Hd). cbn [magnitude] in *.
    replace (x * y * (1 + d) + e - exact a * exact b) with ((x * y * (1 + d) - exact a * exact b) + e) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. rewrite <- tech_pow_Rmult. lra.
  - set (k := Nat.max (roundings a + roundings b) (roundings c)).
    assert (Rabs (x * y + z - (exact a * exact b + exact c))
      <= ((1 + u) ^ k - 1) * (magnitude a * magnitude b + magnitude c)
         + (lost a * size b + size a * lost b + lost a * lost b + lost c)) as E.
    { replace (x * y + z - (exact a * exact b + exact c)) with ((x * y - exact a * exact b) + (z - exact c)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. pose proof (product_error a b x y IHa IHb).
      pose proof (widen (roundings a + roundings b) k (magnitude a * magnitude b) (Nat.le_max_l _ _)
        (magnitude_nonneg (Multiply a b))).
      pose proof (widen (roundings c) k (magnitude c) (Nat.le_max_r _ _) (magnitude_nonneg c)). lra. }
    pose proof (one_rounding _ _ _ _ d E (exact_le_magnitude (Fused a b c)) Hd). cbn [magnitude] in *.
    replace ((x * y + z) * (1 + d) + e - (exact a * exact b + exact c))
      with (((x * y + z) * (1 + d) - (exact a * exact b + exact c)) + e) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. rewrite <- tech_pow_Rmult. lra.
Qed.

(* ---- Bounds that are computed ---- *)

(* Of numbers that are not negative nothing cancels. *)
Fixpoint nonnegative (e : expression) : Prop :=
  match e with
  | Stored x => 0 <= x
  | Opposite _ => False
  | Scaled s a => 0 <= s /\ nonnegative a
  | Add a b | Multiply a b => nonnegative a /\ nonnegative b
  | Fused a b c => nonnegative a /\ nonnegative b /\ nonnegative c
  end.

Lemma nonnegative_magnitude e : nonnegative e -> magnitude e = exact e.
Proof.
  induction e; simpl; intros H.
  - apply Rabs_right. lra.
  - contradiction.
  - destruct H. rewrite IHe by assumption. rewrite Rabs_right by lra. reflexivity.
  - destruct H. rewrite IHe1, IHe2 by assumption. reflexivity.
  - destruct H. rewrite IHe1, IHe2 by assumption. reflexivity.
  - destruct H as (H1 & H2 & H3). rewrite IHe1, IHe2, IHe3 by assumption. reflexivity.
Qed.

Theorem nonnegative_expression e x : nonnegative e -> computes e x -> INR (roundings e) * u <= 1 / 4 ->
  exact e <= (1 + 2 * INR (roundings e) * u) * (x + lost e).
Proof.
  intros He Hx Hm. pose proof (nonnegative_magnitude e He) as HM. pose proof (magnitude_nonneg e) as H0.
  apply rounded_expression in Hx. rewrite HM in *. set (m := roundings e) in *.
  assert (G : (1 + u) ^ m - 1 <= gamma m) by (apply power_le_gamma; lra).
  assert (B : (1 - gamma m) * exact e <= x + lost e).
  { apply abs_between in Hx. nra. }
  pose proof (count_nonneg m) as C. set (c := INR m * u) in *.
  replace (1 + 2 * INR m * u) with (1 + 2 * c) by (unfold c; ring).
  assert (E : 1 <= (1 + 2 * c) * (1 - gamma m)).
  { unfold gamma. fold c.
    replace ((1 + 2 * c) * (1 - c / (1 - c))) with ((1 + 2 * c) * (1 - 2 * c) / (1 - c)) by (field; lra).
    apply Rmult_le_reg_r with (1 - c); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  apply Rle_trans with ((1 + 2 * c) * ((1 - gamma m) * exact e)).
  - rewrite <- Rmult_assoc. nra.
  - apply Rmult_le_compat_l; lra.
Qed.

(* round_up_nonnegative of src/linalg/rounding/rounding.h, operation by operation; its product of m + 1 and the underflow unit
   2 tau is exact. *)
Theorem round_up_nonnegative x m d1 d2 d3 e : 0 <= x -> 0 <= m -> m * u <= 1 / 4 -> u <= 1 / 64 ->
  Rabs d1 <= u -> Rabs d2 <= u -> Rabs d3 <= u -> Rabs e <= tau ->
  (1 + 2 * m * u) * x + m * (2 * tau)
  <= (x * ((1 + (m + 3) * (2 * u)) * (1 + d1)) * (1 + d2) + e + (m + 1) * (2 * tau)) * (1 + d3).
Proof.
  intros Hx Hm Hmu Hu H1 H2 H3 He. apply abs_between in H1, H2, H3, He.
  assert (Hmu0 : 0 <= m * u) by (apply Rmult_le_pos; assumption).
  set (c := 1 + (m + 3) * (2 * u)).
  assert (Hc : c = 1 + 2 * (m * u) + 6 * u) by (unfold c; ring).
  assert (P : (1 - u) * (1 - u) <= (1 + d1) * (1 + d2)) by (apply Rmult_le_compat; lra).
  assert (S : x * (c * ((1 - u) * (1 - u))) - tau + (m + 1) * (2 * tau)
    <= x * (c * (1 + d1)) * (1 + d2) + e + (m + 1) * (2 * tau)).
  { replace (x * (c * (1 + d1)) * (1 + d2)) with (x * (c * ((1 + d1) * (1 + d2)))) by ring.
    assert (x * (c * ((1 - u) * (1 - u))) <= x * (c * ((1 + d1) * (1 + d2)))); [| lra].
    apply Rmult_le_compat_l; [assumption |]. apply Rmult_le_compat_l; lra. }
  assert (0 <= x * (c * ((1 - u) * (1 - u)))).
  { apply Rmult_le_pos; [assumption |]. apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; lra. }
  assert (0 <= m * tau) by (apply Rmult_le_pos; assumption).
  apply Rle_trans with ((x * (c * ((1 - u) * (1 - u))) - tau + (m + 1) * (2 * tau)) * (1 - u)).
  - replace ((x * (c * ((1 - u) * (1 - u))) - tau + (m + 1) * (2 * tau)) * (1 - u))
      with (x * (c * ((1 - u) * (1 - u) * (1 - u))) + (2 * (m * tau) + tau) * (1 - u)) by ring.
    apply Rplus_le_compat.
    + rewrite (Rmult_comm _ x). apply Rmult_le_compat_l; [assumption |].
      assert (1 - 3 * u <= (1 - u) * (1 - u) * (1 - u)) by nra.
      apply Rle_trans with (c * (1 - 3 * u)); [rewrite Hc; nra | apply Rmult_le_compat_l; lra].
    + assert (m * tau * u <= tau / 4) by (replace (m * tau * u) with (m * u * tau) by ring; nra). nra.
  - apply Rmult_le_compat; lra.
Qed.

End Rounding.
