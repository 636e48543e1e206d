(* Forms through a whole network: a list of operations, by induction.

   A network is a list of operations on rows of numbers (one token's hidden state, the scores of one token against all,
   a network's class scores); each computes one row from those that there are. What the program does with forms is a
   relation, as it may round outward: from the forms of all rows and the symbols so far, an operation makes fresh
   symbols and the form of its row. An operation is sound if for every perturbation of the ball, whatever older symbols
   do, there are values of the fresh ones within their bounds with which the new form holds. A run of sound operations,
   each result rounded outward, is sound. *)
Require Import Reals Lra Lia List.
From attcert Require Import sum vector matrix product_remainder form.
Import ListNotations.
Open Scope R_scope.

Definition rows := nat -> vector.

(* Row i gets a new content. *)
Definition set {A : Type} (f : nat -> A) (i : nat) (x : A) : nat -> A := fun j => if Nat.eqb j i then x else f j.

Section Network.
Variables (p : nat) (r : R).
Hypothesis Hr : 0 <= r.

Record operation := {
  value : rows -> vector;
  passes : list segment -> (nat -> form) -> list segment -> form -> Prop
}.

Definition all_fit (l : list segment) (F : nat -> form) : Prop := forall i, fits (count l) (F i).
Definition all_hold (l : list segment) (F : nat -> form) (eps eta : vector) (Z : rows) : Prop :=
  forall i, holds p (count l) (F i) eps eta (Z i).

Definition sound (o : operation) : Prop :=
  forall l F l' f, all_fit l F -> passes o l F l' f ->
  (count l <= count l')%nat /\ fits (count l') f /\
  forall eps eta Z, in_ball_of_perturbations p r eps -> within l eta -> all_hold l F eps eta Z ->
  exists eta', within l' eta' /\ (forall k, (k < count l)%nat -> eta' k = eta k) /\
               holds p (count l') f eps eta' (value o Z).

(* A step of a network: where the result goes, and the operation. *)
Definition network := list (nat * operation).

Fixpoint evaluate (steps : network) (Z : rows) : rows :=
  match steps with
  | [] => Z
  | (i, o) :: rest => evaluate rest (set Z i (value o Z))
  end.

Inductive run : network -> list segment -> (nat -> form) -> list segment -> (nat -> form) -> Prop :=
  | run_end l F : run [] l F l F
  | run_step i o rest l F l1 f g l2 F2 :
      passes o l F l1 f -> covers p r l1 f g -> run rest l1 (set F i g) l2 F2 ->
      run ((i, o) :: rest) l F l2 F2.

(* The forms F say true things of the rows Z eps, on the whole ball. *)
Definition enclosed (l : list segment) (F : nat -> form) (Z : vector -> rows) : Prop :=
  all_fit l F /\
  forall eps, in_ball_of_perturbations p r eps -> exists eta, within l eta /\ all_hold l F eps eta (Z eps).

Lemma step_enclosed i o l F l1 f g Z :
  sound o -> passes o l F l1 f -> covers p r l1 f g -> enclosed l F Z ->
  enclosed l1 (set F i g) (fun eps => set (Z eps) i (value o (Z eps))).
Proof.
  intros Ho Hp Hc [Hfit H]. destruct (Ho l F l1 f Hfit Hp) as (Hn & Hf & Hs). split.
  - intros j. unfold set. destruct (Nat.eqb j i); [apply Hc | eapply fits_more; eauto].
  - intros eps He. destruct (H eps He) as (eta & Hl & Ha).
    destruct (Hs eps eta (Z eps) He Hl Ha) as (eta' & Hl' & E & Hh).
    exists eta'. split; [assumption |]. intros j. unfold set. destruct (Nat.eqb j i).
    + eapply covers_holds; eauto.
    + eapply holds_more; eauto.
Qed.

Theorem composition steps l F l' F' Z :
  (forall i o, In (i, o) steps -> sound o) -> run steps l F l' F' -> enclosed l F Z ->
  enclosed l' F' (fun eps => evaluate steps (Z eps)).
Proof.
  intros Hs Hrun. revert Z Hs. induction Hrun as [l F | i o rest l F l1 f g l2 F2 Hp Hc Hrun IH]; intros Z Hs H.
  - exact H.
  - simpl. apply (IH (fun eps => set (Z eps) i (value o (Z eps)))); [intros; eapply Hs; right; eauto |].
    eapply step_enclosed; eauto. apply (Hs i o). left. reflexivity.
Qed.

(* ---- The input: rows X_i + M_i eps ---- *)

Definition input_rows (X : rows) (M : nat -> tokens) (eps : vector) : rows := fun i c => X i c + dot p (M i c) eps.
Definition input_forms (d : nat) (X : rows) (M : nat -> tokens) (i : nat) : form :=
  {| entry_count := d; center := X i; linear := M i; symbol := fun _ _ => 0; radius := fun _ => 0 |}.

Lemma input_enclosed d X M : enclosed [] (input_forms d X M) (input_rows X M).
Proof.
  split; [intros i c k _; reflexivity |]. intros eps _. exists (fun _ => 0). split; [exact I |].
  intros i c _. unfold deviation_of, input_rows, dot at 3. simpl.
  match goal with |- Rabs ?x <= _ => replace x with 0 by ring end. rewrite Rabs_R0. lra.
Qed.

End Network.
