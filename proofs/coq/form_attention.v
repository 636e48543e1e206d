(* Forms through attention, one head of one token: src/network/attention/step_attention_*.c.

   Scores s_j = a q . k_j with q = q_0 + e, k_j = k_0j + h_j: the parts that are linear in all symbols,
   a (q_0 . h_j + k_0j . e), and a remainder of at most |a| ||e|| ||h_j||.

   The mean y = sum_j P'_j v'_j of values v'_j = v_j + e_j with the softmax P' of the scores, which move by tau_j: for
   any numbers p_j, y_0 and n_j, with t_j = tau_j - sum_m p_m tau_m, P'_j = p_j (1 + t_j) + nu_j and S_j the linear part
   of tau_j, mu_j the rest, T_j = S_j - sum_m p_m S_m and D_j = v_j - y_0, as the P'_j add up to 1,

     y = y_0 + sum_j (p_j + n_j) D_j + sum_j p_j e_j + sum_j p_j T_j D_j   center and linear part
       + sum_j [p_j mu_j + nu_j - n_j] D_j                                 a symbol a token
       + sum_j (P'_j - p_j) e_j                                            a symbol an entry
       - (sum_m p_m mu_m) sum_j p_j D_j                                    the radius: 0 but for roundings of y_0.

   Each product (P'_j - p_j) e_j has the middle of its second-order part in the center (product_remainder.v), and n_j is
   the middle of what is known of nu_j (softmax_remainder.v). *)
Require Import Reals Lra Lia Psatz List.
From attcert Require Import sum vector matrix average product_remainder softmax_remainder form network form_affine.
From attcert Require Import form_fresh.
Import ListNotations.
Open Scope R_scope.

(* ---- Scores ---- *)
Section Scores.
Variables (p : nat) (r : R).
Hypothesis Hr : 0 <= r.

(* ||z - center|| <= t on the whole ball. *)
Definition deviation_norm (l : list segment) (f : form) (d : nat) (t : R) : Prop :=
  forall eps eta z, in_ball_of_perturbations p r eps -> within l eta -> holds p (count l) f eps eta z ->
  norm d (fun c => z c - center f c) <= t.

Definition scores_form (n d : nat) (a : R) (q : form) (k : nat -> form) (remainder : vector) : form :=
  {| entry_count := n;
     center := fun j => a * dot d (center q) (center (k j));
     linear := fun j e => a * (sum d (fun c => center q c * linear (k j) c e)
                               + sum d (fun c => center (k j) c * linear q c e));
     symbol := fun j e => a * (sum d (fun c => center q c * symbol (k j) c e)
                               + sum d (fun c => center (k j) c * symbol q c e));
     radius := fun j => Rabs a * (remainder j + sum d (fun c => Rabs (center q c) * radius (k j) c)
                                  + sum d (fun c => Rabs (center (k j) c) * radius q c)) |}.

(* Row q against the rows key 0 ... key (n - 1). *)
Definition attention_scores (q : nat) (key : nat -> nat) (n d : nat) (a : R) : operation :=
  {| value := fun Z j => a * dot d (Z q) (Z (key j));
     passes := fun l F l' f => exists of_query of_key,
       (d <= entry_count (F q))%nat /\ (forall j, (j < n)%nat -> (d <= entry_count (F (key j)))%nat) /\
       deviation_norm l (F q) d of_query /\ (forall j, (j < n)%nat -> deviation_norm l (F (key j)) d (of_key j)) /\
       l' = l /\ f = scores_form n d a (F q) (fun j => F (key j)) (fun j => of_query * of_key j) |}.

Theorem scores_sound q key n d a : sound p r (attention_scores q key n d a).
Proof.
  intros l F l' f Hfit (tq & tk & Hdq & Hdk & Hq & Hk & -> & ->). split; [lia |]. split.
  - intros j e He. simpl. rewrite !sum_zero; [ring | |]; intros c _; rewrite (Hfit _ c e He); ring.
  - intros eps eta Z He Hl H. exists eta. split; [assumption |]. split; [reflexivity |]. intros j Hj. simpl in Hj.
    set (Q := F q) in *. set (K := F (key j)).
    pose proof (functional_of_form p (count l) K eps eta (Z (key j)) d (center Q) (Hdk j Hj) (H (key j))) as H1.
    pose proof (functional_of_form p (count l) Q eps eta (Z q) d (center K) Hdq (H q)) as H2.
    pose proof (Hq eps eta (Z q) He Hl (H q)) as N1. pose proof (Hk j Hj eps eta (Z (key j)) He Hl (H (key j))) as N2.
    fold K in N2. set (e := fun c => Z q c - center Q c) in *. set (h := fun c => Z (key j) c - center K c) in *.
    assert (H3 : Rabs (dot d e h) <= tq * tk j).
    { eapply Rle_trans; [apply dot_le_norms |]. apply Rmult_le_compat; auto using norm_nonneg. }
    assert (E : dot d (Z q) (Z (key j)) = dot d (center Q) (Z (key j)) + dot d (center K) (Z q)
                                          - dot d (center Q) (center K) + dot d e h).
    { unfold dot. rewrite <- sum_plus, <- sum_minus, <- sum_plus. apply sum_ext; intros; unfold e, h; ring. }
    unfold deviation_of. cbn [center linear symbol radius scores_form value attention_scores]. fold Q K.
    rewrite !dot_scale_l, !dot_plus_l, E. rewrite (dot_symmetric d (center K) (center Q)) in H2.
    match type of H1 with Rabs ?x <= ?s => match type of H2 with Rabs ?y <= ?t =>
      match goal with |- Rabs ?z <= _ => replace z with (a * (x + y + dot d e h)) by ring end end end.
    rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos |].
    eapply Rle_trans; [apply Rabs_triang |]. eapply Rle_trans; [apply Rplus_le_compat_r; apply Rabs_triang |]. lra.
Qed.

End Scores.

(* ---- The mean of the values ---- *)

Definition softmax (n : nat) (s : vector) : vector := fun j => exp (s j) / sum n (fun m => exp (s m)).

Lemma exp_sum_positive n s : (0 < n)%nat -> 0 < sum n (fun m => exp (s m)).
Proof. intros. apply (sum_positive n _ 0); auto using exp_pos. intros; left; apply exp_pos. Qed.

Lemma softmax_probability n s : (0 < n)%nat -> probability n (softmax n s).
Proof.
  intros Hn. pose proof (exp_sum_positive n s Hn). split.
  - intros j _. left. apply Rmult_lt_0_compat; [apply exp_pos | apply Rinv_0_lt_compat; assumption].
  - unfold softmax. rewrite sum_divide. field. lra.
Qed.

(* The softmax of scores that move. *)
Lemma softmax_moved n s s' j : (0 < n)%nat ->
  softmax n s' j = moved_weight n (softmax n s) (fun m => s' m - s m) j.
Proof.
  intros Hn. pose proof (exp_sum_positive n s Hn). pose proof (exp_sum_positive n s' Hn).
  assert (E : forall m, softmax n s m * exp (s' m - s m) = exp (s' m) / sum n (fun k => exp (s k))).
  { intros m. unfold softmax. replace (exp (s' m)) with (exp (s m) * exp (s' m - s m))
      by (rewrite <- exp_plus; f_equal; ring). unfold Rdiv. ring. }
  unfold moved_weight. rewrite E, (sum_ext n (fun m => softmax n s m * exp (s' m - s m))
    (fun m => exp (s' m) / sum n (fun k => exp (s k)))) by (intros; apply E).
  rewrite sum_divide. unfold softmax. field. lra.
Qed.

Section Mean.
Variables (p : nat) (r : R).
Hypothesis Hr : 0 <= r.

(* T_j = S_j - sum_m p_m S_m, of the eps or of the symbols. *)
Definition centred_part (n : nat) (w : vector) (S : tokens) (j : nat) : vector :=
  fun k => S j k - sum n (fun m => w m * S m k).

Definition mean_form (count n d : nat) (s : form) (v : nat -> form) (w y0 middle : vector) : form :=
  let D := fun c j => center (v j) c - y0 c in
  {| entry_count := d;
     center := fun c => y0 c + sum n (fun j => (w j + middle j) * D c j)
       + sum n (fun j => r ^ 2 / 2 * dot p (linear (v j) c) (fun k => w j * centred_part n w (linear s) j k));
     linear := fun c k => sum n (fun j => w j * (linear (v j) c k + D c j * centred_part n w (linear s) j k));
     symbol := fun c => joined_twice count n
       (fun k => sum n (fun j => w j * (symbol (v j) c k + D c j * centred_part n w (symbol s) j k)))
       (D c) (own d c);
     radius := fun c => sum n (fun j => w j * radius (v j) c)
       + sum n (fun j => w j * radius s j) * Rabs (sum n (fun j => w j * D c j)) |}.

Definition mean_passes (score : nat) (val : nat -> nat) (n d : nat) (l : list segment) (F : nat -> form)
    (l' : list segment) (f' : form) : Prop :=
  let s := F score in
  let v := fun j => F (val j) in
  exists w y0 middle half T z a other,
    let P := softmax n (center s) in
    let missed := sum n (fun m => w m * radius s m) in
    let drift := support p r l (fun k => sum n (fun m => w m * linear s m k))
                               (fun k => sum n (fun m => w m * symbol s m k)) + missed in
    let change := fun j => w j * T j + (Rabs (middle j) + half j) in
    let y_in := fun j => r * norm p (fun k => w j * centred_part n w (linear s) j k) in
    let product := fun c => sum n (fun j =>
      spread p r l (v j) c * change j - r * norm p (linear (v j) c) * y_in j / 2) in
    (0 < n)%nat /\ (n <= entry_count s)%nat /\
    (forall j, (j < n)%nat ->
       0 <= w j <= 1 /\ (d <= entry_count (v j))%nat /\
       0 <= a j /\ bounded d p (linear (v j)) (a j) /\ rest_norm p r l (v j) d (other j) /\
       support p r l (centred_part n w (linear s) j) (centred_part n w (symbol s) j)
         + (radius s j + missed - 2 * (w j * radius s j)) <= T j /\
       middle j - half j <= - (P j * ((1 + T j) * ((total_excess n P T + z) / (1 + total_excess n P T + z))))
                            - Rabs (P j - w j) * (1 + T j) /\
       P j * (excess (T j) + 2 * z * exp (T j)) + Rabs (P j - w j) * (1 + T j) <= middle j + half j) /\
    sum n (fun m => Rabs (P m - w m) * T m) + sum n (fun m => Rabs (P m - w m)) * drift <= z /\ z <= 1 / 2 /\
    l' = {| size := d; bound := product;
            length := sum n (fun j => (r * a j + other j) * change j - r * a j * y_in j / 2) |}
         :: entries n (fun j => w j * radius s j + half j) :: l /\
    f' = mean_form (count l) n d s v w y0 middle.

(* Such numbers exist whatever the forms: here with p = P and y_0 = 0. *)
Theorem mean_applies score val n d l F :
  (0 < n)%nat -> (n <= entry_count (F score))%nat ->
  (forall j, (j < n)%nat -> (d <= entry_count (F (val j)))%nat) ->
  exists l' f', mean_passes score val n d l F l' f'.
Proof.
  intros Hn Hs Hv. eexists. eexists. unfold mean_passes. cbv zeta.
  set (s := F score) in *. set (P := softmax n (center s)).
  pose proof (softmax_probability n (center s) Hn) as HP. fold P in HP.
  set (missed := sum n (fun m => P m * radius s m)).
  set (T := fun j => support p r l (centred_part n P (linear s) j) (centred_part n P (symbol s) j)
                     + (radius s j + missed - 2 * (P j * radius s j))).
  set (low := fun j => - (P j * ((1 + T j) * ((total_excess n P T + 0) / (1 + total_excess n P T + 0))))
                       - Rabs (P j - P j) * (1 + T j)).
  set (high := fun j => P j * (excess (T j) + 2 * 0 * exp (T j)) + Rabs (P j - P j) * (1 + T j)).
  exists P, (fun _ => 0), (fun j => (low j + high j) / 2), (fun j => (high j - low j) / 2), T, 0,
    (fun j => sqrt (sum d (fun c => norm2 p (linear (F (val j)) c)))),
    (fun j => norm d (fun c => symbol_support l (symbol (F (val j)) c) + radius (F (val j)) c)).
  split; [assumption |]. split; [assumption |]. split; [| split; [| split; [lra | split; reflexivity]]].
  - intros j Hj. split; [split; [apply HP; assumption | apply (probability_le_1 n P j HP Hj)] |].
    split; [apply Hv; assumption |]. split; [apply sqrt_pos |]. split; [apply frobenius_bound |].
    split; [apply rest_norm_of_entries; apply Hv; assumption |]. split; [right; reflexivity |].
    split; [fold (low j) | fold (high j)]; lra.
  - rewrite (sum_zero n (fun m => Rabs (P m - P m) * T m)), (sum_zero n (fun m => Rabs (P m - P m))); [lra | |];
      intros m _; rewrite Rminus_eq_0, Rabs_R0; ring.
Qed.

(* Row y = sum_j softmax_j(row score) row (val j). *)
Definition attention_mean (score : nat) (val : nat -> nat) (n d : nat) : operation :=
  {| value := fun Z c => sum n (fun j => softmax n (Z score) j * Z (val j) c);
     passes := mean_passes score val n d |}.

Theorem mean_sound score val n d : sound p r (attention_mean score val n d).
Proof.
  intros l F l' f' Hfit (w & y0 & middle & half & T & z & a & other & Hn & Hns & Hj & Hz & Hz2 & -> & ->).
  set (s := F score) in *. set (v := fun j => F (val j)) in *.
  set (P := softmax n (center s)) in *. set (missed := sum n (fun m => w m * radius s m)) in *.
  set (change := fun j => w j * T j + (Rabs (middle j) + half j)).
  set (b := fun j k => w j * centred_part n w (linear s) j k).
  split; [simpl; lia |]. split.
  { intros c k Hk. simpl in *. apply (joined_twice_beyond (count l) n d); [exact Hk |].
    intros; apply own_beyond; assumption. }
  intros eps eta Z He Hl H. pose proof (H score) as Hs. fold s in Hs.
  (* the scores *)
  set (tau := fun j => Z score j - center s j).
  set (mu := fun j => tau j - deviation_of p (count l) s eps eta j).
  set (linear_t := fun j => dot p (centred_part n w (linear s) j) eps
                            + dot (count l) (centred_part n w (symbol s) j) eta).
  set (t := centred_score n w tau).
  assert (Hmu : forall j, (j < n)%nat -> Rabs (mu j) <= radius s j).
  { intros j Hjn. unfold mu, tau. replace (Z score j - center s j - deviation_of p (count l) s eps eta j)
      with (Z score j - (center s j + deviation_of p (count l) s eps eta j)) by ring. apply Hs. lia. }
  assert (Ht : forall j, t j = linear_t j + (mu j - sum n (fun m => w m * mu m))).
  { intros j. unfold t, centred_score, weighted_drift, linear_t, centred_part.
    rewrite (dot_symmetric p _ eps), (dot_symmetric (count l) _ eta), !dot_minus_r.
    rewrite (dot_symmetric p eps (fun k => sum n _)), (dot_symmetric (count l) eta (fun k => sum n _)), !dot_of_rows.
    rewrite (sum_ext n (fun m => w m * tau m) (fun m => w m * mu m + (w m * dot p (linear s m) eps
      + w m * dot (count l) (symbol s m) eta))) by (intros; unfold mu, deviation_of; ring).
    rewrite !sum_plus. rewrite (dot_symmetric p eps (linear s j)), (dot_symmetric (count l) eta (symbol s j)).
    unfold mu, deviation_of. ring. }
  assert (Hmean : forall j, (j < n)%nat -> Rabs (mu j - sum n (fun m => w m * mu m))
                                           <= radius s j + missed - 2 * (w j * radius s j)).
  { intros j Hjn. destruct (Hj j Hjn) as ((Hw0 & Hw1) & _).
    assert (E : forall g, sum n g = sum n (fun m => if Nat.eqb j m then 0 else g m) + g j).
    { intros g. replace (g j) with (sum n (fun m => if Nat.eqb j m then g m else 0)) by (apply sum_only; assumption).
      rewrite <- sum_plus. apply sum_ext; intros m _. destruct (Nat.eqb j m); ring. }
    unfold missed. rewrite (E (fun m => w m * mu m)), (E (fun m => w m * radius s m)).
    assert (Ho : Rabs (sum n (fun m => if Nat.eqb j m then 0 else w m * mu m))
                 <= sum n (fun m => if Nat.eqb j m then 0 else w m * radius s m)).
    { apply abs_sum_le; intros m Hm. destruct (Nat.eqb j m); [rewrite Rabs_R0; lra |].
      destruct (Hj m Hm) as ((Hm0 & _) & _). rewrite Rabs_mult, (Rabs_right (w m)) by lra.
      apply Rmult_le_compat_l; auto. }
    pose proof (abs_le_both _ _ (Hmu j Hjn)) as Hb. pose proof (abs_le_both _ _ Ho) as Hc.
    assert ((1 - w j) * mu j <= (1 - w j) * radius s j) by (apply Rmult_le_compat_l; lra).
    assert ((1 - w j) * - radius s j <= (1 - w j) * mu j) by (apply Rmult_le_compat_l; lra).
    apply Rabs_le. lra. }
  assert (HT : forall j, (j < n)%nat -> Rabs (t j) <= T j).
  { intros j Hjn. destruct (Hj j Hjn) as (_ & _ & _ & _ & _ & Hreach & _). rewrite Ht.
    eapply Rle_trans; [apply Rabs_triang |]. pose proof (Hmean j Hjn).
    pose proof (support_bounds p r l (centred_part n w (linear s) j) (centred_part n w (symbol s) j) eps eta Hr He Hl).
    unfold linear_t. lra. }
  assert (Hdrift : Rabs (weighted_drift n w tau) <= support p r l (fun k => sum n (fun m => w m * linear s m k))
                                                   (fun k => sum n (fun m => w m * symbol s m k)) + missed).
  { pose proof (support_bounds p r l (fun k => sum n (fun m => w m * linear s m k))
      (fun k => sum n (fun m => w m * symbol s m k)) eps eta Hr He Hl) as Hb. rewrite !dot_of_rows in Hb.
    assert (Hc : Rabs (sum n (fun m => w m * mu m)) <= missed).
    { apply abs_sum_le; intros m Hm. destruct (Hj m Hm) as ((Hm0 & _) & _).
      rewrite Rabs_mult, (Rabs_right (w m)) by lra. apply Rmult_le_compat_l; auto. }
    unfold weighted_drift. rewrite (sum_ext n (fun m => w m * tau m) (fun m => (w m * dot p (linear s m) eps
      + w m * dot (count l) (symbol s m) eta) + w m * mu m)) by (intros; unfold mu, deviation_of; ring).
    rewrite !sum_plus. eapply Rle_trans; [apply Rabs_triang |]. lra. }
  pose proof (softmax_probability n (center s) Hn) as HP. fold P in HP.
  assert (Hzz : Rabs (sum n (fun m => P m * t m)) <= z).
  { eapply Rle_trans; [| exact Hz]. apply softmax_drift; assumption. }
  (* the weights *)
  set (Q := softmax n (Z score)).
  assert (HQ : forall j, Q j = moved_weight n P tau j) by (intros j; apply softmax_moved; assumption).
  assert (HQ1 : sum n Q = 1) by (destruct (softmax_probability n (Z score) Hn) as [_ E]; exact E).
  set (nu := fun j => Q j - w j * (1 + t j)).
  assert (Hnu : forall j, (j < n)%nat -> Rabs (nu j - middle j) <= half j).
  { intros j Hjn. destruct (Hj j Hjn) as (_ & _ & _ & _ & _ & _ & Hlow & Hhigh).
    pose proof (softmax_remainder n P w tau T z HP HT Hzz Hz2 j Hjn) as Hrem. rewrite <- HQ in Hrem.
    fold t in Hrem. fold (nu j) in Hrem. apply Rabs_le. lra. }
  (* the values *)
  set (e := fun j c => Z (val j) c - center (v j) c).
  set (rest := fun j c => e j c - dot p (linear (v j) c) eps).
  set (rho := fun j c => e j c - deviation_of p (count l) (v j) eps eta c).
  set (D := fun c j => center (v j) c - y0 c).
  set (u := fun j => Q j - w j - dot p (b j) eps).
  assert (Hrho : forall j c, (j < n)%nat -> (c < d)%nat -> Rabs (rho j c) <= radius (v j) c).
  { intros j c Hjn Hc. destruct (Hj j Hjn) as (_ & Hdv & _).
    replace (rho j c) with (Z (val j) c - (center (v j) c + deviation_of p (count l) (v j) eps eta c))
      by (unfold rho, e; ring). apply (H (val j)). unfold v in Hdv. lia. }
  assert (Hother : forall j, (j < n)%nat -> norm d (rest j) <= other j).
  { intros j Hjn. destruct (Hj j Hjn) as (_ & _ & _ & _ & Hrest & _).
    eapply Rle_trans; [right | apply (Hrest eps eta (Z (val j)) He Hl (H (val j)))].
    apply norm_ext; intros; unfold rest, e, v; ring. }
  assert (Hu : forall j, (j < n)%nat -> r * norm p (b j) + Rabs (u j) <= change j).
  { intros j Hjn. destruct (Hj j Hjn) as ((Hw0 & Hw1) & _ & _ & _ & _ & Hreach & _).
    pose proof (symbol_support_bounds l (centred_part n w (symbol s) j) eta Hl) as Hy.
    pose proof (Hmean j Hjn) as Hm. pose proof (Hnu j Hjn) as Hv. pose proof (abs_le_both _ _ Hv).
    assert (Hr1 : Rabs (nu j) <= Rabs (middle j) + half j).
    { replace (nu j) with (middle j + (nu j - middle j)) by ring. eapply Rle_trans; [apply Rabs_triang |]. lra. }
    assert (Eu : u j = w j * (dot (count l) (centred_part n w (symbol s) j) eta
      + (mu j - sum n (fun m => w m * mu m))) + nu j).
    { unfold u, nu, b. rewrite dot_scale_l, Ht. unfold linear_t. ring. }
    assert (Ha1 : Rabs (w j * (dot (count l) (centred_part n w (symbol s) j) eta
      + (mu j - sum n (fun m => w m * mu m))))
      <= w j * (symbol_support l (centred_part n w (symbol s) j) + (radius s j + missed - 2 * (w j * radius s j)))).
    { rewrite Rabs_mult, (Rabs_right (w j)) by lra. apply Rmult_le_compat_l; [assumption |].
      eapply Rle_trans; [apply Rabs_triang |]. lra. }
    unfold b. rewrite norm_scale, (Rabs_right (w j)) by lra. unfold support in Hreach.
    apply (Rmult_le_compat_l (w j)) in Hreach; [| assumption].
    rewrite Eu. eapply Rle_trans; [apply Rplus_le_compat_l; apply Rabs_triang |]. unfold change. lra. }
  set (one := fun j => w j * mu j + nu j - middle j).
  set (two := fun c => sum n (fun j => (Q j - w j) * e j c - r ^ 2 / 2 * dot p (linear (v j) c) (b j))).
  exists (joined_twice (count l) n eta one two). split; [| split].
  - assert (Hterm : forall j c, (Q j - w j) * e j c - r ^ 2 / 2 * dot p (linear (v j) c) (b j)
      = (dot p (linear (v j) c) eps + rest j c) * (dot p (b j) eps + u j) - r ^ 2 / 2 * dot p (linear (v j) c) (b j)).
    { intros j c. unfold rest, u. ring. }
    apply (within_joined_twice l (entries n (fun j => w j * radius s j + half j)) _ eta one two);
      [assumption | apply entries_within |].
    + intros j Hjn. destruct (Hj j Hjn) as ((Hw0 & _) & _). unfold one.
      replace (w j * mu j + nu j - middle j) with (w j * mu j + (nu j - middle j)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat; [| auto].
      rewrite Rabs_mult, (Rabs_right (w j)) by lra. apply Rmult_le_compat_l; auto.
    + assert (Htwo : norm d two <= sum n (fun j => (r * a j + other j) * change j - r * a j * (r * norm p (b j)) / 2)).
      { apply (norm_sum d n (fun j c => (Q j - w j) * e j c - r ^ 2 / 2 * dot p (linear (v j) c) (b j))).
        intros j Hjn. destruct (Hj j Hjn) as (_ & _ & Ha & HA & _).
        rewrite (norm_ext d _ (fun c => (mat_vec p (linear (v j)) eps c + rest j c) * (dot p (b j) eps + u j)
          - r ^ 2 / 2 * mat_vec p (linear (v j)) (b j) c)) by (intros; apply Hterm).
        pose proof (Hother j Hjn). pose proof (Hu j Hjn).
        apply (product_remainder p r eps Hr He d (linear (v j)) (a j) (b j) (rest j) (u j)); try assumption; lra. }
      split; [eapply Rle_trans; [apply norm_nonneg | exact Htwo] |]. cbn [size bound length]. split.
      * intros c Hc. apply abs_sum_le. intros j Hjn. rewrite Hterm. change (F (val j)) with (v j).
        pose proof (Hu j Hjn) as Hy.
        apply (product_remainder_scalar p r eps Hr He (linear (v j) c) (b j) (rest j c) (u j)); try lra;
          try assumption; try (right; reflexivity).
        unfold spread, support.
        pose proof (symbol_support_bounds l (symbol (v j) c) eta Hl) as Hx. pose proof (Hrho j c Hjn Hc) as Hq.
        replace (rest j c) with (dot (count l) (symbol (v j) c) eta + rho j c)
          by (unfold rest, rho, deviation_of; ring).
        pose proof (Rabs_triang (dot (count l) (symbol (v j) c) eta) (rho j c)). lra.
      * apply norm2_le_square. exact Htwo.
  - intros; apply joined_twice_older; assumption.
  - intros c Hc. simpl in Hc. unfold deviation_of. cbn [center linear symbol radius mean_form count size entries].
    rewrite dot_joined_twice, dot_own by assumption. rewrite !dot_of_rows.
    fold (D c).
    set (rho_mean := sum n (fun j => w j * rho j c)).
    set (mu_mean := sum n (fun m => w m * mu m)).
    set (D_mean := sum n (fun j => w j * D c j)).
    assert (Hfinal : Rabs (rho_mean - mu_mean * D_mean)
                     <= sum n (fun j => w j * radius (v j) c) + missed * Rabs D_mean).
    { assert (H1 : Rabs rho_mean <= sum n (fun j => w j * radius (v j) c)).
      { apply abs_sum_le; intros j Hjn. destruct (Hj j Hjn) as ((Hw0 & _) & _).
        rewrite Rabs_mult, (Rabs_right (w j)) by lra. apply Rmult_le_compat_l; auto. }
      assert (H2 : Rabs (mu_mean * D_mean) <= missed * Rabs D_mean).
      { rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos |]. apply abs_sum_le; intros j Hjn.
        destruct (Hj j Hjn) as ((Hw0 & _) & _). rewrite Rabs_mult, (Rabs_right (w j)) by lra.
        apply Rmult_le_compat_l; auto. }
      unfold Rminus. eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
    eapply Rle_trans; [right | exact Hfinal]. f_equal.
    cbn [value attention_mean].
    assert (Ey : sum n (fun j => Q j * Z (val j) c) = y0 c + sum n (fun j => Q j * (D c j + e j c))).
    { rewrite (sum_ext n (fun j => Q j * (D c j + e j c)) (fun j => Q j * Z (val j) c - Q j * y0 c))
        by (intros; unfold D, e; ring). rewrite sum_minus, sum_scale_r, HQ1. ring. }
    fold Q. rewrite Ey.
    change (dot n (D c) one) with (sum n (fun j => D c j * one j)).
    change (two c) with (sum n (fun j => (Q j - w j) * e j c - r ^ 2 / 2 * dot p (linear (v j) c) (b j))).
    match goal with |- _ + sum n ?A - (_ + sum n ?B + sum n ?C + (sum n ?G + (sum n ?K + (sum n ?O + sum n ?U)))) = _ =>
      enough (sum n A - sum n B - sum n C - sum n G - sum n K - sum n O - sum n U = rho_mean - mu_mean * D_mean) by lra
    end.
    unfold rho_mean, D_mean. rewrite <- (sum_scale n mu_mean), <- !sum_minus. apply sum_ext; intros j _.
    rewrite !dot_sum_l. fold (b j). unfold one, nu. rewrite Ht. unfold linear_t, rho, deviation_of. fold mu_mean.
    unfold D. ring.
Qed.

End Mean.
