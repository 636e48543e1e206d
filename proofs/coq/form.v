(* First-order forms of quantities that depend on a perturbation eps in R^p, ||eps||_2 <= r: src/robust/form.

   A form of a row z of numbers says

     z_c = center_c + linear_c . eps + sum_k symbol_ck eta_k + rho_c,   |rho_c| <= radius_c,

   with symbols eta_k that stand for what is not linear in eps. They come in segments, the latest first; the numbers u
   of a segment obey |u_k| <= bound_k and ||u|| <= length (where there is no bound of the norm, that of the bounds).
   For every eps of the ball there must be eta within these bounds with which all forms of a run hold together.

   How far the linear part of a form goes: at most

     r ||linear||_2 + sum over the segments of min(sum_k |symbol_k| bound_k, length ||symbol||_2). *)
Require Import Reals Lra Lia List.
From attcert Require Import sum vector matrix product_remainder.
Import ListNotations.
Open Scope R_scope.

(* ---- Symbols ---- *)

Record segment := { size : nat; bound : vector; length : R }.

Definition segment_within (s : segment) (u : vector) : Prop :=
  0 <= length s /\ (forall k, (k < size s)%nat -> Rabs (u k) <= bound s k) /\ norm2 (size s) u <= length s ^ 2.

(* A segment whose norm has no bound but that of its entries. *)
Definition entries (d : nat) (b : vector) : segment := {| size := d; bound := b; length := norm d b |}.

Lemma entries_within d b u : (forall k, (k < d)%nat -> Rabs (u k) <= b k) -> segment_within (entries d b) u.
Proof.
  intros H. split; [apply norm_nonneg |]. split; [exact H |].
  apply norm2_le_square. apply norm_of_bounds. exact H.
Qed.

Fixpoint count (l : list segment) : nat :=
  match l with
  | [] => 0
  | s :: older => count older + size s
  end.

Definition part (first : nat) (x : vector) : vector := fun k => x (first + k)%nat.

Fixpoint within (l : list segment) (eta : vector) : Prop :=
  match l with
  | [] => True
  | s :: older => within older eta /\ segment_within s (part (count older) eta)
  end.

(* Only the first count l numbers matter. *)
Lemma within_ext l eta eta' : (forall k, (k < count l)%nat -> eta k = eta' k) -> within l eta -> within l eta'.
Proof.
  induction l as [| s l IH]; simpl; [auto |]. intros E [H (H0 & H1 & H2)].
  split; [apply IH; auto; intros; apply E; lia |]. unfold part in *.
  split; [assumption |]. split.
  - intros k Hk. rewrite <- E by lia. auto.
  - rewrite (norm2_ext (size s) _ (fun k => eta (count l + k)%nat)); [assumption |].
    intros k Hk. symmetry. apply E. lia.
Qed.

(* A fresh segment beside the older ones. *)
Definition joined (n : nat) (eta u : vector) : vector := fun k => if Nat.ltb k n then eta k else u (k - n)%nat.

Lemma joined_older n eta u k : (k < n)%nat -> joined n eta u k = eta k.
Proof. intros H. unfold joined. apply Nat.ltb_lt in H. rewrite H. reflexivity. Qed.

Lemma joined_fresh n eta u k : joined n eta u (n + k)%nat = u k.
Proof.
  unfold joined. destruct (Nat.ltb_spec (n + k) n); [lia |]. f_equal. lia.
Qed.

Lemma within_joined l s eta u : within l eta -> segment_within s u -> within (s :: l) (joined (count l) eta u).
Proof.
  intros Hl (H0 & H1 & H2). split.
  - eapply within_ext; [| exact Hl]. intros. symmetry. apply joined_older. assumption.
  - split; [assumption |]. unfold part. split; [intros; rewrite joined_fresh; auto |].
    rewrite (norm2_ext (size s) _ u) by (intros; apply joined_fresh). assumption.
Qed.

(* ---- How far a linear functional of the symbols goes ---- *)

Lemma sum_split n m f : sum (n + m) f = sum n f + sum m (fun k => f (n + k)%nat).
Proof.
  induction m; [rewrite Nat.add_0_r; simpl; ring |].
  rewrite Nat.add_succ_r. cbn [sum]. rewrite IHm. ring.
Qed.

Lemma dot_split n m x y : dot (n + m) x y = dot n x y + dot m (part n x) (part n y).
Proof. apply sum_split. Qed.

Fixpoint symbol_support (l : list segment) (x : vector) : R :=
  match l with
  | [] => 0
  | s :: older =>
      symbol_support older x + Rmin (sum (size s) (fun k => Rabs (part (count older) x k) * bound s k))
                                    (length s * norm (size s) (part (count older) x))
  end.

Lemma symbol_support_bounds l x eta : within l eta -> Rabs (dot (count l) x eta) <= symbol_support l x.
Proof.
  induction l as [| s l IH]; simpl; intros H; [unfold dot; simpl; rewrite Rabs_R0; lra |].
  destruct H as [Hl (H0 & H1 & H2)]. rewrite dot_split.
  eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat; [auto |].
  apply Rmin_glb; [apply dot_le_bounds; assumption |].
  eapply Rle_trans; [apply dot_le_norms |]. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [apply norm_nonneg | apply norm_le; assumption].
Qed.

Section Forms.
Variables (p : nat) (r : R).

Definition in_ball_of_perturbations (eps : vector) : Prop := norm2 p eps <= r ^ 2.
Definition support (l : list segment) (linear symbol : vector) : R := r * norm p linear + symbol_support l symbol.

Theorem support_bounds l linear symbol eps eta :
  0 <= r -> in_ball_of_perturbations eps -> within l eta ->
  Rabs (dot p linear eps + dot (count l) symbol eta) <= support l linear symbol.
Proof.
  intros Hr He Hl. eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat.
  - apply linear_part_le; assumption.
  - apply symbol_support_bounds. assumption.
Qed.

(* ---- Forms ---- *)

Record form := { entry_count : nat; center : vector; linear : tokens; symbol : tokens; radius : vector }.

(* The form without its radius, n the number of symbols there are, and what it says of z. *)
Definition deviation_of (n : nat) (f : form) (eps eta : vector) (c : nat) : R :=
  dot p (linear f c) eps + dot n (symbol f c) eta.
Definition holds (n : nat) (f : form) (eps eta z : vector) : Prop :=
  forall c, (c < entry_count f)%nat -> Rabs (z c - (center f c + deviation_of n f eps eta c)) <= radius f c.

(* It reads no symbols but the first n. *)
Definition fits (n : nat) (f : form) : Prop := forall c k, (n <= k)%nat -> symbol f c k = 0.

Lemma fits_more n m f : fits n f -> (n <= m)%nat -> fits m f.
Proof. intros H Hn c k Hk. apply H. lia. Qed.

Lemma dot_vanishing n m x eta : (forall k, (n <= k)%nat -> x k = 0) -> (n <= m)%nat -> dot m x eta = dot n x eta.
Proof.
  intros H Hn. replace m with (n + (m - n))%nat by lia. rewrite dot_split.
  replace (dot (m - n) (part n x) (part n eta)) with 0; [ring |].
  symmetry. apply sum_zero; intros k _. unfold part. rewrite H by lia. ring.
Qed.

(* So later symbols do not change what it says. *)
Lemma holds_more n m f eps eta eta' z :
  fits n f -> (n <= m)%nat -> (forall k, (k < n)%nat -> eta' k = eta k) -> holds n f eps eta z -> holds m f eps eta' z.
Proof.
  intros Hf Hn E H c Hc. unfold deviation_of.
  rewrite (dot_vanishing n m) by (auto; intros; apply Hf; assumption).
  rewrite (dot_ext n _ (symbol f c) eta' eta) by auto. apply H. assumption.
Qed.

(* What a row is away from its center. *)
Definition spread (l : list segment) (f : form) (c : nat) : R := support l (linear f c) (symbol f c) + radius f c.

Theorem spread_bounds l f eps eta z c :
  0 <= r -> in_ball_of_perturbations eps -> within l eta -> holds (count l) f eps eta z -> (c < entry_count f)%nat ->
  Rabs (z c - center f c) <= spread l f c.
Proof.
  intros Hr He Hl Hf Hc. specialize (Hf c Hc). unfold deviation_of in Hf.
  pose proof (support_bounds l (linear f c) (symbol f c) eps eta Hr He Hl) as Hs.
  apply abs_le_both in Hf, Hs. apply Rabs_le. unfold spread. lra.
Qed.

(* ---- Roundings: the same row by other numbers, with a larger radius ---- *)

Definition covers (l : list segment) (f g : form) : Prop :=
  entry_count g = entry_count f /\ fits (count l) g /\
  forall c, (c < entry_count f)%nat ->
    radius f c + Rabs (center f c - center g c)
    + support l (fun k => linear f c k - linear g c k) (fun k => symbol f c k - symbol g c k) <= radius g c.

Theorem covers_holds l f g eps eta z :
  0 <= r -> in_ball_of_perturbations eps -> within l eta -> covers l f g ->
  holds (count l) f eps eta z -> holds (count l) g eps eta z.
Proof.
  intros Hr He Hl (Hd & _ & Hc) H c Hg. rewrite Hd in Hg. specialize (H c Hg). specialize (Hc c Hg).
  pose proof (support_bounds l (fun k => linear f c k - linear g c k) (fun k => symbol f c k - symbol g c k) eps eta
    Hr He Hl) as Hs.
  pose proof (Rle_abs (center f c - center g c)). pose proof (Rle_abs (- (center f c - center g c))) as Hm.
  rewrite Rabs_Ropp in Hm. unfold deviation_of in *.
  rewrite (dot_symmetric p _ eps), (dot_symmetric (count l) _ eta), !dot_minus_r in Hs.
  rewrite (dot_symmetric p (linear f c)), (dot_symmetric (count l) (symbol f c)) in H.
  rewrite (dot_symmetric p (linear g c)), (dot_symmetric (count l) (symbol g c)).
  apply abs_le_both in H, Hs. apply Rabs_le. lra.
Qed.

End Forms.
