(* Inner products in double arithmetic (the model of rounding.v): p terms, bracketed in any way, with or without fused
   operations,

     |fl(a . b) - a . b| <= gamma_p |a| . |b| + p 2^-1074,

   as no term undergoes more than p roundings; of a product 2^-1075 underflows, which later additions enlarge by less
   than 2. Where a stored number is added to, as C := C + A B does, p + 1 takes the place of p in gamma. *)
Require Import Reals Lra Lia List Permutation.
From attcert Require Import sum vector rounding.
Open Scope R_scope.

Section InnerProduct.

Variables u tau : R.
Hypothesis unit_nonneg : 0 <= u.
Hypothesis unit_small : u < 1.
Hypothesis tau_nonneg : 0 <= tau.

(* ---- Inner products ----

   A summation says in which order: Term k is the product a_k b_k, rounded, FusedTerm k s adds it to s by one fused
   operation, Start is a stored number c that the products are added to, as C := C + A B does. *)

Inductive summation : Type :=
  | Start
  | Term (k : nat)
  | Plus (s t : summation)
  | FusedTerm (k : nat) (s : summation).

Fixpoint terms (s : summation) : list nat :=
  match s with
  | Start => nil
  | Term k => k :: nil
  | Plus s t => terms s ++ terms t
  | FusedTerm k s => k :: terms s
  end.

Fixpoint starts (s : summation) : nat :=
  match s with
  | Start => 1
  | Term _ => 0
  | Plus s t => starts s + starts t
  | FusedTerm _ s => starts s
  end.

Fixpoint inner (c : R) (a b : vector) (s : summation) : expression :=
  match s with
  | Start => Stored c
  | Term k => Multiply (Stored (a k)) (Stored (b k))
  | Plus s t => Add (inner c a b s) (inner c a b t)
  | FusedTerm k s => Fused (Stored (a k)) (Stored (b k)) (inner c a b s)
  end.

Fixpoint list_sum (f : nat -> R) (l : list nat) : R :=
  match l with
  | nil => 0
  | k :: l => f k + list_sum f l
  end.

Lemma list_sum_append f l l' : list_sum f (l ++ l') = list_sum f l + list_sum f l'.
Proof. induction l; simpl; lra. Qed.

Lemma list_sum_permutation f l l' : Permutation l l' -> list_sum f l = list_sum f l'.
Proof. induction 1; simpl; lra. Qed.

Lemma list_sum_sequence f p : list_sum f (seq 0 p) = sum p f.
Proof. induction p; [reflexivity |]. rewrite seq_S, list_sum_append, IHp. simpl. ring. Qed.

(* A quantity of a summation that is the sum of those of its parts. *)
Ltac add_up s :=
  induction s as [| k | s IHs t IHt | k s IHs]; simpl;
  [ring | ring | rewrite IHs, IHt, plus_INR, list_sum_append; ring | rewrite IHs; ring].

Lemma inner_exact c a b s : exact (inner c a b s) = INR (starts s) * c + list_sum (fun k => a k * b k) (terms s).
Proof. add_up s. Qed.

Lemma inner_magnitude c a b s :
  magnitude (inner c a b s) = INR (starts s) * Rabs c + list_sum (fun k => Rabs (a k) * Rabs (b k)) (terms s).
Proof. add_up s. Qed.

Definition leaves (s : summation) : nat := length (terms s) + starts s.

Lemma leaves_positive s : (1 <= leaves s)%nat.
Proof. unfold leaves. induction s; simpl; rewrite ?app_length; lia. Qed.

Lemma inner_roundings c a b s : (roundings (inner c a b s) <= leaves s)%nat.
Proof.
  unfold leaves. induction s as [| k | s IHs t IHt | k s IHs]; simpl; try lia.
  rewrite app_length. pose proof (leaves_positive s). pose proof (leaves_positive t). unfold leaves in *. lia.
Qed.

Lemma inner_lost c a b s : lost u tau (inner c a b s) <= INR (length (terms s)) * tau * (1 + u) ^ (leaves s - 1).
Proof.
  assert (step : forall n m k x, (S m <= k)%nat -> x <= INR n * tau * (1 + u) ^ m ->
    (1 + u) * x <= INR n * tau * (1 + u) ^ k).
  { intros n m k x Hk Hx. apply Rle_trans with ((1 + u) * (INR n * tau * (1 + u) ^ m)).
    - apply Rmult_le_compat_l; [lra | assumption].
    - replace ((1 + u) * (INR n * tau * (1 + u) ^ m)) with (INR n * tau * (1 + u) ^ S m) by (simpl; ring).
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR | assumption] | apply (power_le u); assumption]. }
  induction s as [| k | s IHs t IHt | k s IHs].
  - simpl. lra.
  - simpl. lra.
  - pose proof (leaves_positive s). pose proof (leaves_positive t).
    assert (E : leaves (Plus s t) = (leaves s + leaves t)%nat) by (unfold leaves; simpl; rewrite app_length; lia).
    cbn [inner lost]. apply (step _ _ (leaves (Plus s t) - 1)%nat) in IHs; [| lia].
    apply (step _ _ (leaves (Plus s t) - 1)%nat) in IHt; [| lia].
    cbn [terms]. rewrite app_length, plus_INR. lra.
  - pose proof (leaves_positive s).
    assert (E : leaves (FusedTerm k s) = S (leaves s)) by (unfold leaves; simpl; lia).
    cbn [inner lost]. apply (step _ _ (leaves (FusedTerm k s) - 1)%nat) in IHs; [| lia].
    pose proof (power_ge_1 u unit_nonneg (leaves (FusedTerm k s) - 1)).
    cbn [terms length]. rewrite S_INR. unfold size. nra.
Qed.

Theorem inner_product p c a b s x : Permutation (terms s) (seq 0 p) -> INR (p + starts s) * u <= 1 / 2 ->
  computes u tau (inner c a b s) x ->
  Rabs (x - (INR (starts s) * c + dot p a b))
  <= gamma u (p + starts s) * (INR (starts s) * Rabs c + dot p (fun k => Rabs (a k)) (fun k => Rabs (b k)))
     + INR p * (2 * tau).
Proof.
  intros Hp Hm H. apply (rounded_expression u tau unit_nonneg tau_nonneg) in H.
  rewrite inner_exact, inner_magnitude in H.
  rewrite !(list_sum_permutation _ _ _ Hp), !list_sum_sequence in H.
  assert (Hl : length (terms s) = p) by (rewrite (Permutation_length Hp); apply seq_length).
  assert (E : leaves s = (p + starts s)%nat) by (unfold leaves; lia).
  pose proof (inner_lost c a b s) as L. rewrite Hl, E in L.
  pose proof (inner_roundings c a b s) as N. rewrite E in N. fold (dot p a b) in H.
  set (M := INR (starts s) * Rabs c + dot p (fun k => Rabs (a k)) (fun k => Rabs (b k))).
  change (Rabs (x - (INR (starts s) * c + dot p a b))
    <= ((1 + u) ^ roundings (inner c a b s) - 1) * M + lost u tau (inner c a b s)) in H.
  assert (HM : 0 <= M).
  { apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [apply pos_INR | apply Rabs_pos].
    - apply sum_nonneg; intros. apply Rmult_le_pos; apply Rabs_pos. }
  pose proof (widen u unit_nonneg _ _ M N HM). pose proof (power_le_gamma u unit_nonneg unit_small (p + starts s)) as G.
  assert (P : (1 + u) ^ (p + starts s - 1) <= 2).
  { apply Rle_trans with ((1 + u) ^ (p + starts s)); [apply (power_le u unit_nonneg); lia |].
    apply (power_le_2 u); assumption. }
  apply (Rmult_le_compat_l (INR p * tau)) in P; [| apply Rmult_le_pos; [apply pos_INR | assumption]].
  assert (((1 + u) ^ (p + starts s) - 1) * M <= gamma u (p + starts s) * M)
    by (apply Rmult_le_compat_r; [assumption | lra]).
  lra.
Qed.

(* Where no term is negative, as in a sum of squares, a bound from what is computed: with round_up_nonnegative
   (rounding.v) what norm_upper of src/linalg/rounding/rounding.h rests on. *)
Theorem nonnegative_inner_product p c a b s x : Permutation (terms s) (seq 0 p) -> INR (p + starts s) * u <= 1 / 4 ->
  0 <= c -> (forall k, (k < p)%nat -> 0 <= a k * b k) -> computes u tau (inner c a b s) x ->
  INR (starts s) * c + dot p a b <= (1 + 2 * INR (p + starts s) * u) * x + INR p * (2 * tau).
Proof.
  intros Hp Hm Hc Hab H. apply (rounded_expression u tau unit_nonneg tau_nonneg) in H.
  rewrite inner_exact, inner_magnitude in H. rewrite !(list_sum_permutation _ _ _ Hp), !list_sum_sequence in H.
  assert (Hl : length (terms s) = p) by (rewrite (Permutation_length Hp); apply seq_length).
  assert (L : leaves s = (p + starts s)%nat) by (unfold leaves; lia).
  pose proof (inner_lost c a b s) as Hlost. rewrite Hl, L in Hlost.
  pose proof (inner_roundings c a b s) as N. rewrite L in N. set (m := (p + starts s)%nat) in *.
  rewrite (Rabs_right c), (sum_ext p (fun k => Rabs (a k) * Rabs (b k)) (fun k => a k * b k)) in H; [| | lra].
  2:{ intros k Hk. rewrite <- Rabs_mult. apply Rabs_right. specialize (Hab k Hk). lra. }
  fold (dot p a b) in H. set (E := INR (starts s) * c + dot p a b) in *.
  assert (HE : 0 <= E).
  { apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [apply pos_INR | assumption] | apply sum_nonneg; assumption]. }
  pose proof (widen u unit_nonneg _ _ E N HE) as W. pose proof (power_le_gamma u unit_nonneg unit_small m) as G.
  pose proof (count_nonneg u unit_nonneg m) as C0. set (q := INR m * u) in *.
  assert (HP : (1 + u) ^ m <= 1 + gamma u m) by lra. rewrite one_plus_gamma in HP by (fold q; lra). fold q in HP.
  assert (P43 : / (1 - q) <= 4 / 3).
  { replace (4 / 3) with (/ (3 / 4)) by field. apply Rinv_le_contravar; lra. }
  assert (T : 0 <= INR p * tau) by (apply Rmult_le_pos; [apply pos_INR | assumption]).
  assert (L43 : lost u tau (inner c a b s) <= INR p * tau * (4 / 3)).
  { eapply Rle_trans; [exact Hlost |]. apply Rmult_le_compat_l; [assumption |].
    apply Rle_trans with ((1 + u) ^ m); [apply (power_le u unit_nonneg); lia | lra]. }
  assert (B : E * (2 - / (1 - q)) <= x + INR p * tau * (4 / 3)).
  { apply abs_between in H. assert (((1 + u) ^ m - 1) * E <= (/ (1 - q) - 1) * E) by (apply Rmult_le_compat_r; lra).
    lra. }
  assert (K : 1 <= (1 + 2 * q) * (2 - / (1 - q))).
  { replace ((1 + 2 * q) * (2 - / (1 - q))) with ((1 + 2 * q) * (1 - 2 * q) / (1 - q)) by (field; lra).
    apply Rmult_le_reg_r with (1 - q); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  replace (1 + 2 * INR m * u) with (1 + 2 * q) by (unfold q; ring).
  apply Rle_trans with ((1 + 2 * q) * (E * (2 - / (1 - q)))); [nra |].
  apply Rle_trans with ((1 + 2 * q) * (x + INR p * tau * (4 / 3))); [apply Rmult_le_compat_l; lra |]. nra.
Qed.

(* ---- Sums by their partial sums ----

   Summands p_k, computed to within D_k, added in any order: where no partial sum of the p_k is above M in magnitude, n
   additions add at most gamma_n (M + sum_k D_k) to sum_k D_k, however large sum_k |p_k| is (step_execution.h). *)
Inductive added (M : R) : nat -> R -> R -> R -> Prop :=
  | summand p D x : Rabs (x - p) <= D -> added M 0 p D x
  | addition a b p q D E x y d : added M a p D x -> added M b q E y -> Rabs (p + q) <= M -> Rabs d <= u ->
      added M (S (a + b)) (p + q) (D + E) ((x + y) * (1 + d)).

Lemma added_error M n p D x : 0 <= M -> added M n p D x ->
  0 <= D /\ Rabs (x - p) <= (1 + u) ^ n * D + ((1 + u) ^ n - 1) * M.
Proof.
  intros HM. induction 1 as [p D x H | a b p q D E x y d Ha [HD IHa] Hb [HE IHb] Hpq Hd].
  - pose proof (Rabs_pos (x - p)). simpl. split; lra.
  - split; [lra |].
    assert (S : Rabs (x + y - (p + q)) <= (1 + u) ^ (a + b) * (D + E) + ((1 + u) ^ (a + b) - 1) * M).
    { replace (x + y - (p + q)) with ((x - p) + (y - q)) by ring. eapply Rle_trans; [apply Rabs_triang |].
      assert ((1 + u) ^ a * D <= (1 + u) ^ (a + b) * D)
        by (apply Rmult_le_compat_r; [assumption |]; apply (power_le u unit_nonneg); lia).
      assert ((1 + u) ^ b * E <= (1 + u) ^ (a + b) * E)
        by (apply Rmult_le_compat_r; [assumption |]; apply (power_le u unit_nonneg); lia).
      assert (((1 + u) ^ a - 1 + ((1 + u) ^ b - 1)) * M <= ((1 + u) ^ (a + b) - 1) * M).
      { apply Rmult_le_compat_r; [assumption |]. rewrite pow_add.
        pose proof (power_ge_1 u unit_nonneg a). pose proof (power_ge_1 u unit_nonneg b). nra. }
      lra. }
    pose proof (one_rounding u _ _ _ _ d S Hpq Hd) as O. rewrite <- !tech_pow_Rmult. lra.
Qed.

Theorem partial_sums M n p D x : 0 <= M -> added M n p D x -> INR n * u < 1 ->
  Rabs (x - p) <= D + gamma u n * (M + D).
Proof.
  intros HM H Hn. destruct (added_error M n p D x HM H) as [HD E].
  pose proof (power_le_gamma u unit_nonneg unit_small n Hn).
  assert (((1 + u) ^ n - 1) * (M + D) <= gamma u n * (M + D)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

End InnerProduct.
