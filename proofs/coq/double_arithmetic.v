(* Doubles are rounded as rounding.v says: every expression of stored doubles, evaluated operation by operation, each
   result rounded to nearest, obeys its `computes` with u = 2^-53 and tau = 2^-1075, half the underflow unit.

   Flocq (Boldo, Melquiond) has the format, FLT_exp (-1074) 53, and the theorems on which this rests. Numbers are not
   bounded above there: overflow is not part of it, the code looks for infinities itself. *)
Require Import Reals Lra ZArith Lia List Permutation.
From Flocq Require Import Core Relative Plus_error Mult_error.
From attcert Require Import sum vector rounding inner_product.
Open Scope R_scope.

Definition double_exponent : Z -> Z := FLT_exp (-1074) 53.
Definition is_double (x : R) : Prop := generic_format radix2 double_exponent x.
Definition nearest (x : R) : R := round radix2 double_exponent ZnearestE x.
Definition unit_roundoff : R := bpow radix2 (-53).
Definition underflow : R := bpow radix2 (-1075).

Local Instance precision_positive : Prec_gt_0 53 := eq_refl.

Lemma nearest_is_double x : is_double (nearest x).
Proof. apply generic_format_round; [apply FLT_exp_valid; exact precision_positive | apply valid_rnd_N]. Qed.

Lemma half_unit : u_ro radix2 53 = unit_roundoff.
Proof.
  unfold u_ro, unit_roundoff. change (/ 2) with (bpow radix2 (-1)). rewrite <- bpow_plus. reflexivity.
Qed.

Lemma half_underflow : / 2 * bpow radix2 (-1074) = underflow.
Proof. unfold underflow. change (/ 2) with (bpow radix2 (-1)). rewrite <- bpow_plus. reflexivity. Qed.

Lemma within_unit d : Rabs d <= u_ro radix2 53 / (1 + u_ro radix2 53) -> Rabs d <= unit_roundoff.
Proof. intros H. rewrite <- half_unit. eapply Rle_trans; [exact H | apply u_rod1pu_ro_le_u_ro]. Qed.

(* Any real number ... *)
Theorem double_operation x : exists d e,
  Rabs d <= unit_roundoff /\ Rabs e <= underflow /\ nearest x = x * (1 + d) + e.
Proof.
  destruct (relative_error_N_FLT'_ex radix2 (-1074) 53 precision_positive (fun z => negb (Z.even z)) x)
    as (d & e & Hd & He & _ & H).
  exists d, e. rewrite half_underflow in He. auto using within_unit.
Qed.

(* ... a sum of two doubles ... *)
Theorem double_sum x y : is_double x -> is_double y -> exists d,
  Rabs d <= unit_roundoff /\ nearest (x + y) = (x + y) * (1 + d).
Proof.
  intros Hx Hy.
  destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun z => negb (Z.even z)) x y Hx Hy) as (d & Hd & H).
  exists d. auto using within_unit.
Qed.

(* ... a double times a power of two. *)
Theorem double_scaling x k : is_double x -> Rabs (nearest (bpow radix2 k * x) - bpow radix2 k * x) <= underflow.
Proof.
  intros Hx. rewrite (Rmult_comm _ x). destruct (Req_dec x 0) as [-> | Hx0].
  - rewrite Rmult_0_l. unfold nearest. rewrite round_0 by apply valid_rnd_N. rewrite Rminus_0_r, Rabs_R0.
    apply bpow_ge_0.
  - destruct (Z_le_gt_dec (-1074 + 53 - mag radix2 x) k) as [Hk | Hk].
    + unfold nearest. rewrite round_generic; [| apply valid_rnd_N | apply mult_bpow_exact_FLT; assumption].
      rewrite Rminus_eq_0, Rabs_R0. apply bpow_ge_0.
    + eapply Rle_trans; [apply error_le_half_ulp; apply FLT_exp_valid; exact precision_positive |].
      rewrite <- half_underflow. apply Rmult_le_compat_l; [lra |]. right.
      apply ulp_FLT_small; [exact precision_positive |].
      eapply Rlt_le_trans; [apply bpow_mag_gt |]. apply bpow_le.
      rewrite mag_mult_bpow by assumption. lia.
Qed.

(* An expression of stored doubles and powers of two, and what the processor makes of it. *)
Fixpoint of_doubles (e : expression) : Prop :=
  match e with
  | Stored x => is_double x
  | Opposite a => of_doubles a
  | Scaled s a => (exists k, s = bpow radix2 k) /\ of_doubles a
  | Add a b | Multiply a b => of_doubles a /\ of_doubles b
  | Fused a b c => of_doubles a /\ of_doubles b /\ of_doubles c
  end.

Fixpoint evaluated (e : expression) : R :=
  match e with
  | Stored x => x
  | Opposite a => - evaluated a
  | Scaled s a => nearest (s * evaluated a)
  | Add a b => nearest (evaluated a + evaluated b)
  | Multiply a b => nearest (evaluated a * evaluated b)
  | Fused a b c => nearest (evaluated a * evaluated b + evaluated c)
  end.

Lemma evaluated_is_double e : of_doubles e -> is_double (evaluated e).
Proof.
  induction e; simpl; intros H; try apply nearest_is_double; [assumption |]. apply generic_format_opp, IHe, H.
Qed.

Theorem double_computes e : of_doubles e -> computes unit_roundoff underflow e (evaluated e).
Proof.
  induction e as [x | a IHa | s a IHa | a IHa b IHb | a IHa b IHb | a IHa b IHb c IHc]; simpl; intros H.
  - apply computes_stored.
  - apply computes_opposite. auto.
  - destruct H as ((k & ->) & Ha). pose proof (double_scaling (evaluated a) k (evaluated_is_double a Ha)) as E.
    set (y := bpow radix2 k * evaluated a) in *. replace (nearest y) with (y + (nearest y - y)) by ring.
    apply computes_scaled; auto.
  - destruct H as (Ha & Hb).
    destruct (double_sum _ _ (evaluated_is_double a Ha) (evaluated_is_double b Hb)) as (d & Hd & ->).
    apply computes_add; auto.
  - destruct H as (Ha & Hb). destruct (double_operation (evaluated a * evaluated b)) as (d & e & Hd & He & ->).
    apply computes_multiply; auto.
  - destruct H as (Ha & Hb & Hc).
    destruct (double_operation (evaluated a * evaluated b + evaluated c)) as (d & e & Hd & He & ->).
    apply computes_fused; auto.
Qed.

(* What TRUST.md says of BLAS, of one entry of a product: doubles c, a and b, the sum in any order. *)
Lemma inner_of_doubles c a b s : is_double c ->
  (forall k, In k (terms s) -> is_double (a k) /\ is_double (b k)) -> of_doubles (inner c a b s).
Proof.
  intros Hc. induction s as [| k | s IHs t IHt | k s IHs]; simpl; intros H.
  - assumption.
  - apply H. auto.
  - split; [apply IHs | apply IHt]; intros k Hk; apply H, in_or_app; auto.
  - destruct (H k (or_introl eq_refl)). repeat split; auto.
Qed.

Theorem double_inner_product p c a b s : is_double c ->
  (forall k, (k < p)%nat -> is_double (a k) /\ is_double (b k)) ->
  Permutation (terms s) (seq 0 p) -> INR (p + starts s) * unit_roundoff <= 1 / 2 ->
  Rabs (evaluated (inner c a b s) - (INR (starts s) * c + dot p a b))
  <= gamma unit_roundoff (p + starts s)
       * (INR (starts s) * Rabs c + dot p (fun k => Rabs (a k)) (fun k => Rabs (b k)))
     + INR p * bpow radix2 (-1074).
Proof.
  intros Hc Hab Hp Hm. assert (U0 : 0 <= unit_roundoff) by apply bpow_ge_0. assert (U1 : unit_roundoff < 1).
  { change 1 with (bpow radix2 0). apply bpow_lt. lia. }
  replace (bpow radix2 (-1074)) with (2 * underflow) by (rewrite <- half_underflow; field).
  apply inner_product; try assumption; [apply bpow_ge_0 |].
  apply double_computes, inner_of_doubles; [assumption |]. intros k Hk. apply Hab.
  apply (Permutation_in _ Hp), in_seq in Hk. lia.
Qed.

(* A square root of a double does not underflow either. *)
Theorem double_root x : is_double x -> 0 <= x -> exists d,
  Rabs d <= unit_roundoff /\ nearest (sqrt x) = sqrt x * (1 + d).
Proof.
  intros Hx H0. destruct (Rle_lt_or_eq_dec 0 x H0) as [Hp | <-].
  - destruct (relative_error_N_FLT_ex radix2 (-1074) 53 precision_positive (fun z => negb (Z.even z)) (sqrt x))
      as (d & Hd & H).
    + assert (bpow radix2 (-1074) <= x).
      { apply (generic_format_ge_bpow radix2 double_exponent (-1074)); [| assumption..].
        intros e. unfold double_exponent, FLT_exp. lia. }
      rewrite Rabs_right by (apply Rle_ge, sqrt_pos). apply Rle_trans with (sqrt (bpow radix2 (-1074))).
      * replace (-1074)%Z with (-537 + -537)%Z by lia. rewrite bpow_plus, sqrt_square by apply bpow_ge_0.
        apply bpow_le. lia.
      * apply sqrt_le_1_alt. assumption.
    + exists d. fold (u_ro radix2 53) in Hd. rewrite half_unit in Hd. auto.
  - exists 0. rewrite sqrt_0, Rmult_0_l, Rabs_R0. split; [apply bpow_ge_0 | apply round_0, valid_rnd_N].
Qed.

(* A sum is within u of what is computed, too. *)
Theorem double_of_result x y : is_double x -> is_double y ->
  Rabs (nearest (x + y) - (x + y)) <= unit_roundoff * Rabs (nearest (x + y)).
Proof.
  intros Hx Hy.
  destruct (FLT_plus_error_N_round_ex radix2 (-1074) 53 (fun z => negb (Z.even z)) x y Hx Hy) as (d & Hd & H).
  rewrite half_unit in Hd. change (x + y = nearest (x + y) * (1 + d)) in H. rewrite H at 2.
  replace (nearest (x + y) - nearest (x + y) * (1 + d)) with (- (d * nearest (x + y))) by ring.
  rewrite Rabs_Ropp, Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos | assumption].
Qed.
