(* T12: the margin of a network over a ball of inputs.

   If a run of sound operations (network.v) begins with the input's forms and ends with the form of the class scores,
   center_c + linear_c . eps + sum_k symbol_ck eta_k give or take radius_c, then on the whole ball

     score_a - score_b >= center_a - center_b - r ||linear_a - linear_b|| - sum_k |symbol_ak - symbol_bk| beta_k
                          - radius_a - radius_b,

   where a segment with a bound of its norm may use that instead. If the right side is positive for all b other than a,
   the class with the largest score is a for every input of the ball: the label does not change. *)
Require Import Reals Lra Lia List.
Require FunctionalExtensionality.
From attcert Require Import sum vector matrix product_remainder form network.
Import ListNotations.
Open Scope R_scope.

Section Margin.
Variables (p : nat) (r : R).
Hypothesis Hr : 0 <= r.

Definition margin_bound (l : list segment) (f : form) (a b : nat) : R :=
  center f a - center f b
  - support p r l (fun k => linear f a k - linear f b k) (fun k => symbol f a k - symbol f b k)
  - (radius f a + radius f b).

Theorem margin_of_form l f eps eta z a b :
  in_ball_of_perturbations p r eps -> within l eta -> holds p (count l) f eps eta z ->
  (a < entry_count f)%nat -> (b < entry_count f)%nat -> margin_bound l f a b <= z a - z b.
Proof.
  intros He Hl H Ha Hb. pose proof (H a Ha) as H1. pose proof (H b Hb) as H2. unfold deviation_of in H1, H2.
  pose proof (support_bounds p r l (fun k => linear f a k - linear f b k) (fun k => symbol f a k - symbol f b k) eps eta
    Hr He Hl) as Hs.
  rewrite (dot_symmetric p _ eps), (dot_symmetric (count l) _ eta), !dot_minus_r in Hs.
  rewrite (dot_symmetric p (linear f a)), (dot_symmetric (count l) (symbol f a)) in H1.
  rewrite (dot_symmetric p (linear f b)), (dot_symmetric (count l) (symbol f b)) in H2.
  apply abs_le_both in H1, H2, Hs. unfold margin_bound. lra.
Qed.

(* The largest of n scores is that of a, and no other's. *)
Definition label (n : nat) (z : vector) (a : nat) : Prop :=
  (a < n)%nat /\ forall b, (b < n)%nat -> b <> a -> z b < z a.

Lemma label_unique n z a a' : label n z a -> label n z a' -> a = a'.
Proof.
  intros [Ha H] [Ha' H']. destruct (Nat.eq_dec a a') as [| Hne]; [assumption |].
  pose proof (H a' Ha' (not_eq_sym Hne)). pose proof (H' a Ha Hne). lra.
Qed.

Section Run.
Variables (steps : network) (X : rows) (M : nat -> tokens) (d : nat) (l : list segment) (F : nat -> form) (out : nat).
Hypothesis Hsound : forall i o, In (i, o) steps -> sound p r o.
Hypothesis Hrun : run p r steps [] (input_forms d X M) l F.

Definition scores (eps : vector) : vector := evaluate steps (input_rows p X M eps) out.

Theorem robust_margin a b eps :
  (a < entry_count (F out))%nat -> (b < entry_count (F out))%nat -> in_ball_of_perturbations p r eps ->
  margin_bound l (F out) a b <= scores eps a - scores eps b.
Proof.
  intros Ha Hb He.
  destruct (composition p r Hr steps [] (input_forms d X M) l F (input_rows p X M) Hsound Hrun
    (input_enclosed p r d X M)) as [_ H].
  destruct (H eps He) as (eta & Hl & Hh). eapply margin_of_form; eauto.
Qed.

(* From a positive bound on: the margin is positive on the ball, ... *)
Theorem robust_positive a b eps :
  (a < entry_count (F out))%nat -> (b < entry_count (F out))%nat -> 0 < margin_bound l (F out) a b ->
  in_ball_of_perturbations p r eps -> scores eps b < scores eps a.
Proof. intros Ha Hb H He. pose proof (robust_margin a b eps Ha Hb He). lra. Qed.

(* ... and the label is a on the ball, if that holds for all other classes b. *)
Theorem robust_label a eps :
  (a < entry_count (F out))%nat ->
  (forall b, (b < entry_count (F out))%nat -> b <> a -> 0 < margin_bound l (F out) a b) ->
  in_ball_of_perturbations p r eps -> label (entry_count (F out)) (scores eps) a.
Proof. intros Ha H He. split; [assumption |]. intros b Hb Hne. apply robust_positive; auto. Qed.

End Run.

(* ---- The words that move ----

   words i is the place of token i among the m that move, if it does. Row i of E is then that block of d numbers of eps,
   and 0 otherwise, so that ||E||_F = ||eps||. *)
Definition block (d w : nat) (eps : vector) : vector := fun c => if Nat.ltb c d then eps (w * d + c)%nat else 0.
Definition moved (d : nat) (words : nat -> option nat) (X : rows) (eps : vector) : rows :=
  fun i c => X i c + match words i with Some w => block d w eps c | None => 0 end.
Definition word_part (d : nat) (words : nat -> option nat) (i c : nat) : vector :=
  fun k => match words i with
           | Some w => if Nat.ltb c d then (if Nat.eqb (w * d + c) k then 1 else 0) else 0
           | None => 0
           end.

Lemma perturbation_norm d m eps : norm2 (m * d) eps = sequence_norm2 m d (fun w => block d w eps).
Proof.
  unfold sequence_norm2. induction m; [reflexivity |].
  replace (S m * d)%nat with (m * d + d)%nat by lia. unfold norm2 at 1. rewrite sum_split. cbn [sum].
  f_equal; [exact IHm |]. apply sum_ext; intros c Hc. unfold block. apply Nat.ltb_lt in Hc. rewrite Hc. reflexivity.
Qed.

Lemma moved_input d m words X eps :
  p = (m * d)%nat -> (forall i w, words i = Some w -> (w < m)%nat) ->
  input_rows p X (word_part d words) eps = moved d words X eps.
Proof.
  intros Hp Hw. apply FunctionalExtensionality.functional_extensionality; intros i.
  apply FunctionalExtensionality.functional_extensionality; intros c.
  unfold input_rows, moved, word_part. f_equal. destruct (words i) as [w |] eqn:E.
  - unfold block, dot. destruct (Nat.ltb_spec c d) as [Hc | Hc].
    + rewrite (sum_ext p _ (fun k => if Nat.eqb (w * d + c) k then eps k else 0)).
      * apply sum_only. specialize (Hw i w E). rewrite Hp. nia.
      * intros k _. destruct (Nat.eqb (w * d + c) k); ring.
    + apply sum_zero; intros; ring.
  - apply sum_zero; intros; ring.
Qed.

(* The certificate: no change of these words with ||E||_F <= r changes the label. *)
Theorem robust_words steps X d m words l F out a eps :
  p = (m * d)%nat -> (forall i w, words i = Some w -> (w < m)%nat) ->
  (forall i o, In (i, o) steps -> sound p r o) -> run p r steps [] (input_forms d X (word_part d words)) l F ->
  (a < entry_count (F out))%nat ->
  (forall b, (b < entry_count (F out))%nat -> b <> a -> 0 < margin_bound l (F out) a b) ->
  sequence_norm2 m d (fun w => block d w eps) <= r ^ 2 ->
  label (entry_count (F out)) (evaluate steps (moved d words X eps) out) a.
Proof.
  intros Hp Hw Hs Hrun Ha Hb He. rewrite <- (moved_input d m words X eps Hp Hw).
  apply (robust_label steps X (word_part d words) d l F out Hs Hrun a eps Ha Hb).
  unfold in_ball_of_perturbations. rewrite Hp, perturbation_norm. exact He.
Qed.

End Margin.
