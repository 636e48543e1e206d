(* The operations that map forms to forms without a remainder: an affine map, a sum of rows, and the radius made a
   symbol of its own (src/network/affine, src/network/sum, operation_absorb). An affine map of a row
   takes entries out, as a head's queries, or puts them into a larger row; together with the sum it joins heads. *)
Require Import Reals Lra Lia List.
From attcert Require Import sum vector matrix product_remainder form network.
Import ListNotations.
Open Scope R_scope.

(* M times the part of a row that the symbols make up: (W S) . eta = W (S eta). *)
Lemma dot_of_rows n m x (Y : tokens) eta :
  dot n (fun k => sum m (fun j => x j * Y j k)) eta = sum m (fun j => x j * dot n (Y j) eta).
Proof.
  rewrite dot_symmetric, dot_combination_r. apply sum_ext; intros. rewrite dot_symmetric. reflexivity.
Qed.

Section Affine.
Variables (p : nat) (r : R).

(* What a form of z says of x . z. *)
Lemma functional_of_form n f eps eta z m x : (m <= entry_count f)%nat -> holds p n f eps eta z ->
  Rabs (dot m x z - (dot m x (center f) + (dot p (fun k => sum m (fun j => x j * linear f j k)) eps
                                           + dot n (fun k => sum m (fun j => x j * symbol f j k)) eta)))
  <= sum m (fun j => Rabs (x j) * radius f j).
Proof.
  intros Hm H. rewrite !dot_of_rows. unfold dot at 1 2.
  rewrite <- !sum_plus, <- sum_minus. apply abs_sum_le; intros j Hj.
  replace (x j * z j - (x j * center f j + (x j * dot p (linear f j) eps + x j * dot n (symbol f j) eta)))
    with (x j * (z j - (center f j + deviation_of p n f eps eta j))) by (unfold deviation_of; ring).
  rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos |]. apply H. lia.
Qed.

(* W x + b, W with k rows and m columns, x row v. *)
Definition affine_form (k m : nat) (W : matrix) (b : vector) (f : form) : form :=
  {| entry_count := k;
     center := fun c => b c + dot m (W c) (center f);
     linear := fun c e => sum m (fun j => W c j * linear f j e);
     symbol := fun c e => sum m (fun j => W c j * symbol f j e);
     radius := fun c => sum m (fun j => Rabs (W c j) * radius f j) |}.

Definition affine (v k m : nat) (W : matrix) (b : vector) : operation :=
  {| value := fun Z c => b c + mat_vec m W (Z v) c;
     passes := fun l F l' f => (m <= entry_count (F v))%nat /\ l' = l /\ f = affine_form k m W b (F v) |}.

Theorem affine_sound v k m W b : sound p r (affine v k m W b).
Proof.
  intros l F l' f Hfit (Hm & -> & ->). split; [lia |]. split.
  - intros c e He. simpl. apply sum_zero; intros j _. rewrite (Hfit v j e He). ring.
  - intros eps eta Z _ Hl H. exists eta. split; [assumption |]. split; [reflexivity |]. intros c _. simpl.
    pose proof (functional_of_form (count l) (F v) eps eta (Z v) m (W c) Hm (H v)) as Hc.
    unfold deviation_of, mat_vec. simpl.
    match goal with |- Rabs ?x <= _ => match type of Hc with Rabs ?y <= _ => replace x with y by ring end end.
    exact Hc.
Qed.

(* x + a y for rows v and w. *)
Definition sum_form (a : R) (f g : form) : form :=
  {| entry_count := min (entry_count f) (entry_count g);
     center := fun c => center f c + a * center g c;
     linear := fun c e => linear f c e + a * linear g c e;
     symbol := fun c e => symbol f c e + a * symbol g c e;
     radius := fun c => radius f c + Rabs a * radius g c |}.

Definition sum_of_rows (v w : nat) (a : R) : operation :=
  {| value := fun Z c => Z v c + a * Z w c;
     passes := fun l F l' f => l' = l /\ f = sum_form a (F v) (F w) |}.

Lemma dot_sum_l n a x y eta : dot n (fun e => x e + a * y e) eta = dot n x eta + a * dot n y eta.
Proof.
  unfold dot. rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros; ring.
Qed.

Theorem sum_sound v w a : sound p r (sum_of_rows v w a).
Proof.
  intros l F l' f Hfit (-> & ->). split; [lia |]. split.
  - intros c e He. simpl. rewrite (Hfit v c e He), (Hfit w c e He). ring.
  - intros eps eta Z _ Hl H. exists eta. split; [assumption |]. split; [reflexivity |]. intros c Hc. simpl in *.
    pose proof (H v c ltac:(lia)) as H1. pose proof (H w c ltac:(lia)) as H2.
    unfold deviation_of in *. simpl. rewrite !dot_sum_l.
    set (s := Z v c - (center (F v) c + (dot p (linear (F v) c) eps + dot (count l) (symbol (F v) c) eta))) in *.
    set (t := Z w c - (center (F w) c + (dot p (linear (F w) c) eps + dot (count l) (symbol (F w) c) eta))) in *.
    match goal with |- Rabs ?x <= _ => replace x with (s + a * t) by (unfold s, t; ring) end.
    eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_mult.
    apply Rplus_le_compat; [assumption |]. apply Rmult_le_compat_l; [apply Rabs_pos | assumption].
Qed.

(* ---- Fresh symbols: entry c has the fresh symbol number place c with the factor a c ---- *)

Definition with_fresh (n : nat) (old : tokens) (fresh : tokens) : tokens :=
  fun c => joined n (old c) (fresh c).

Lemma dot_with_fresh n m x y eta u : dot (n + m) (joined n x y) (joined n eta u) = dot n x eta + dot m y u.
Proof.
  rewrite dot_split. f_equal; apply dot_ext; intros; try (apply joined_older; assumption);
    unfold part; apply joined_fresh.
Qed.

(* Entry c alone of the fresh symbols, and only if there is one. *)
Definition own (d c : nat) : vector := fun k => if Nat.eqb c k then (if Nat.ltb k d then 1 else 0) else 0.

Lemma dot_own d c u : (c < d)%nat -> dot d (own d c) u = u c.
Proof.
  intros Hc. unfold dot, own. rewrite (sum_ext d _ (fun k => if Nat.eqb c k then u k else 0)).
  - apply sum_only. assumption.
  - intros k Hk. apply Nat.ltb_lt in Hk. rewrite Hk. destruct (Nat.eqb c k); ring.
Qed.

Lemma own_beyond d c k : (d <= k)%nat -> own d c k = 0.
Proof.
  intros H. unfold own. destruct (Nat.eqb c k); [| reflexivity]. destruct (Nat.ltb_spec k d); [lia | reflexivity].
Qed.

Lemma joined_beyond n m x y k : (n + m <= k)%nat -> (forall e, (m <= e)%nat -> y e = 0) -> joined n x y k = 0.
Proof.
  intros Hk H. unfold joined. destruct (Nat.ltb_spec k n); [lia |]. apply H. lia.
Qed.

(* The radius of row v as symbols. *)
Definition absorbed_form (n : nat) (f : form) : form :=
  {| entry_count := entry_count f; center := center f; linear := linear f;
     symbol := with_fresh n (symbol f) (own (entry_count f)); radius := fun _ => 0 |}.

Definition absorb (v : nat) : operation :=
  {| value := fun Z => Z v;
     passes := fun l F l' f =>
       l' = entries (entry_count (F v)) (radius (F v)) :: l /\ f = absorbed_form (count l) (F v) |}.

Theorem absorb_sound v : sound p r (absorb v).
Proof.
  intros l F l' f Hfit (-> & ->). simpl count. set (d := entry_count (F v)). split; [lia |]. split.
  - intros c k Hk. simpl. apply (joined_beyond (count l) d); [assumption | intros; apply own_beyond; assumption].
  - intros eps eta Z _ Hl H.
    set (u := fun c => Z v c - (center (F v) c + deviation_of p (count l) (F v) eps eta c)).
    exists (joined (count l) eta u). split; [| split].
    + apply within_joined; [assumption |]. apply entries_within. exact (H v).
    + intros; apply joined_older; assumption.
    + intros c Hc. simpl in *. fold d in Hc. unfold deviation_of. simpl. unfold with_fresh.
      fold d. rewrite dot_with_fresh, dot_own by assumption. unfold u, deviation_of.
      match goal with |- Rabs ?x <= _ => replace x with 0 by ring end. rewrite Rabs_R0. lra.
Qed.

End Affine.
