(* LayerNorm with the real division: src/network/layernorm/step_layernorm_forms.c.

   Centring is an affine map, gain and bias are another (form_affine.v); between them x becomes
   x / sqrt(||x||^2/d + e0). With x = c + e, c the center of x, w = ||c||^2/d + e0 and w' the same of x,

     w' = w + (2 c.e + ||e||^2)/d,   c.e = l + c.rho,   l = the linear part of c.e, rho the radii's part of e.

   With ||e||^2/d <= E, |c.rho| <= L and |l| <= S, a line along t -> 1/sqrt(t) about w + E/2, which holds within error
   for max(e0, w - 2 (S + L)/d) <= t <= w + 2 (S + L)/d + E, gives

     1/sqrt(w') = m + f l + sigma,   f = 2 slope/d,   |sigma| <= error + |slope| (E/2 + 2 L/d),
     x / sqrt(w') = m c + m e + f l c + c sigma + e (f l + sigma).

   sigma is one symbol for the row, e (f l + sigma) + m rho about the middle of its second-order part one an entry. *)
Require Import Reals Lra Lia Psatz List.
From attcert Require Import sum vector matrix product_remainder layernorm curve_line.
From attcert Require Import form network form_affine form_fresh.
Import ListNotations.
Open Scope R_scope.

Definition second_moment (d : nat) (e0 : R) (x : vector) : R := norm2 d x / INR d + e0.
Definition normalized (d : nat) (e0 : R) (x : vector) : vector := fun c => x c * inverse_sqrt (second_moment d e0 x).

(* LayerNorm is centring, this, gain and bias. *)
Lemma layernorm_in_parts d gain bias e0 x c :
  layernorm d gain bias e0 x c = gain c * normalized d e0 (centred d x) c + bias c.
Proof. reflexivity. Qed.

Lemma centred_is_affine d x c : (0 < d)%nat -> (c < d)%nat ->
  centred d x c = 0 + mat_vec d (fun a b => (if Nat.eqb a b then 1 else 0) - / INR d) x c.
Proof.
  intros Hd Hc. unfold centred, mean, mat_vec, dot.
  rewrite (sum_ext d (fun b => ((if Nat.eqb c b then 1 else 0) - / INR d) * x b)
    (fun b => (if Nat.eqb c b then x b else 0) - / INR d * x b)) by (intros b _; destruct (Nat.eqb c b); ring).
  rewrite sum_minus, sum_only, sum_scale by assumption. unfold Rdiv. ring.
Qed.

(* ---- The remainder, for one vector c + e ---- *)

Theorem inverse_sqrt_remainder d e0 c e l E L S slope m error :
  (0 < d)%nat -> 0 < e0 ->
  norm2 d e / INR d <= E -> Rabs (dot d c e - l) <= L -> Rabs l <= S ->
  let w := second_moment d e0 c in
  (forall t, Rmax e0 (w - 2 * (S + L) / INR d) <= t <= w + 2 * (S + L) / INR d + E ->
     Rabs (inverse_sqrt t - slope * (t - (w + E / 2)) - m) <= error) ->
  Rabs (inverse_sqrt (second_moment d e0 (fun a => c a + e a)) - (m + 2 * slope / INR d * l))
  <= error + Rabs slope * (E / 2 + 2 * L / INR d).
Proof.
  intros Hd He0 HE HL HS w Hline. set (w' := second_moment d e0 (fun a => c a + e a)).
  pose proof (lt_0_INR d Hd) as HD. set (D := INR d) in *.
  assert (HDi : 0 < / D) by (apply Rinv_0_lt_compat; assumption).
  assert (Ew : w' = w + 2 * dot d c e / D + norm2 d e / D).
  { unfold w', w, second_moment. rewrite norm2_plus. fold D. field. lra. }
  assert (He : 0 <= norm2 d e / D) by (apply Rmult_le_pos; [apply norm2_nonneg | lra]).
  assert (Hw' : e0 <= w').
  { unfold w', second_moment. fold D.
    assert (0 <= norm2 d (fun a => c a + e a) / D) by (apply Rmult_le_pos; [apply norm2_nonneg | lra]). lra. }
  pose proof (abs_le_both _ _ HL) as HL'. pose proof (abs_le_both _ _ HS) as HS'.
  assert (Hup : dot d c e / D <= (S + L) / D) by (apply Rmult_le_compat_r; lra).
  assert (Hdown : - (S + L) / D <= dot d c e / D) by (apply Rmult_le_compat_r; lra).
  assert (Hin : Rmax e0 (w - 2 * (S + L) / D) <= w' <= w + 2 * (S + L) / D + E).
  { split; [apply Rmax_lub; [assumption |] |]; rewrite Ew; unfold Rdiv in *; lra. }
  specialize (Hline w' Hin).
  assert (Hrest : Rabs (w' - (w + E / 2) - 2 * l / D) <= E / 2 + 2 * L / D).
  { assert ((dot d c e - l) / D <= L / D) by (apply Rmult_le_compat_r; lra).
    assert (- L / D <= (dot d c e - l) / D) by (apply Rmult_le_compat_r; lra).
    apply Rabs_le. rewrite Ew. unfold Rdiv in *. lra. }
  apply (Rmult_le_compat_l (Rabs slope)) in Hrest; [| apply Rabs_pos]. rewrite <- Rabs_mult in Hrest.
  replace (inverse_sqrt w' - (m + 2 * slope / D * l))
    with ((inverse_sqrt w' - slope * (w' - (w + E / 2)) - m) + slope * (w' - (w + E / 2) - 2 * l / D)) by (field; lra).
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

(* ---- Forms ---- *)
Section Normalize.
Variables (p : nat) (r : R).
Hypothesis Hr : 0 <= r.

(* l, the linear part of c.e. *)
Definition along_linear (d : nat) (f : form) : vector := fun k => sum d (fun a => center f a * linear f a k).
Definition along_symbol (d : nat) (f : form) : vector := fun k => sum d (fun a => center f a * symbol f a k).

Definition normalize_form (n d : nat) (f : form) (m factor : R) : form :=
  {| entry_count := d;
     center := fun a => m * center f a + r ^ 2 / 2 * dot p (linear f a) (fun k => factor * along_linear d f k);
     linear := fun a k => m * linear f a k + center f a * factor * along_linear d f k;
     symbol := fun a => joined_twice n 1 (fun k => m * symbol f a k + center f a * factor * along_symbol d f k)
                                         (fun _ => center f a) (own d a);
     radius := fun _ => 0 |}.

(* The numbers of the pass: bounds of e, the line, and the fresh segments' bounds. *)
Definition normalize_passes (v d : nat) (e0 : R) (l : list segment) (F : nat -> form) (l' : list segment)
    (f' : form) : Prop :=
  let f := F v in
  exists a other slope m error,
    let c := center f in
    let N := r * a + other in
    let E := N ^ 2 / INR d in
    let L := sum d (fun i => Rabs (c i) * radius f i) in
    let S := support p r l (along_linear d f) (along_symbol d f) in
    let w := second_moment d e0 c in
    let factor := 2 * slope / INR d in
    let sigma := error + Rabs slope * (E / 2 + 2 * L / INR d) in
    let all := Rabs factor * S + sigma in
    let y_in := r * (Rabs factor * norm p (along_linear d f)) in
    let product := fun i => spread p r l f i * all - r * norm p (linear f i) * y_in / 2 + Rabs m * radius f i in
    d = entry_count f /\ 0 <= a /\ bounded d p (linear f) a /\ rest_norm p r l f d other /\
    (forall t, Rmax e0 (w - 2 * (S + L) / INR d) <= t <= w + 2 * (S + L) / INR d + E ->
       Rabs (inverse_sqrt t - slope * (t - (w + E / 2)) - m) <= error) /\
    l' = {| size := d; bound := product; length := N * all - r * a * y_in / 2 + Rabs m * norm d (radius f) |}
         :: entries 1 (fun _ => sigma) :: l /\
    f' = normalize_form (count l) d f m factor.

(* Such numbers exist whatever the form: here with the constant line 0. *)
Theorem normalize_applies v d e0 l F :
  0 < e0 -> d = entry_count (F v) -> exists l' f', normalize_passes v d e0 l F l' f'.
Proof.
  intros He0 Hd. eexists. eexists. unfold normalize_passes. cbv zeta.
  exists (sqrt (sum d (fun i => norm2 p (linear (F v) i)))),
    (norm d (fun c => symbol_support l (symbol (F v) c) + radius (F v) c)), 0, 0, (/ sqrt e0).
  split; [exact Hd |]. split; [apply sqrt_pos |]. split; [apply frobenius_bound |].
  split; [apply rest_norm_of_entries; lia |]. split; [| split; reflexivity].
  intros t [Ht _]. assert (e0 <= t) by (eapply Rle_trans; [apply Rmax_l | exact Ht]).
  match goal with |- Rabs ?x <= _ => replace x with (/ sqrt t) by (unfold inverse_sqrt; ring) end.
  assert (0 < sqrt e0) by (apply sqrt_lt_R0; assumption).
  assert (sqrt e0 <= sqrt t) by (apply sqrt_le_1_alt; assumption).
  rewrite Rabs_right; [apply Rinv_le_contravar; assumption |].
  apply Rle_ge. left. apply Rinv_0_lt_compat. lra.
Qed.

Definition normalize (v d : nat) (e0 : R) : operation :=
  {| value := fun Z => normalized d e0 (Z v); passes := normalize_passes v d e0 |}.

Theorem normalize_sound v d e0 : (0 < d)%nat -> 0 < e0 -> sound p r (normalize v d e0).
Proof.
  intros Hd He0 l F l' f' Hfit (a & other & slope & m & error & Hcount & Ha & HA & Hrest & Hline & -> & ->).
  set (f := F v) in *. set (c := center f) in *. cbv zeta in Hline.
  set (N := r * a + other) in *. set (E := N ^ 2 / INR d) in *.
  set (L := sum d (fun i => Rabs (c i) * radius f i)) in *.
  set (S := support p r l (along_linear d f) (along_symbol d f)) in *.
  set (w := second_moment d e0 c) in *. set (factor := 2 * slope / INR d) in *.
  set (sigma := error + Rabs slope * (E / 2 + 2 * L / INR d)) in *.
  set (all := Rabs factor * S + sigma) in *.
  set (b := fun k => factor * along_linear d f k).
  replace (r * (Rabs factor * norm p (along_linear d f))) with (r * norm p b) in * by (unfold b; rewrite norm_scale;
    reflexivity).
  assert (Hcl : (count l <= count l + 1 + d)%nat) by lia.
  split; [exact Hcl |]. split.
  { intros i k Hk. simpl. apply (joined_twice_beyond (count l) 1 d); [exact Hk |].
    intros; apply own_beyond; assumption. }
  intros eps eta Z He Hl H. specialize (H v). fold f in H.
  pose proof (lt_0_INR d Hd) as HD.
  (* e, its parts, l and sigma *)
  set (e := fun i => Z v i - c i).
  set (rest := fun i => e i - dot p (linear f i) eps).
  set (rho := fun i => e i - deviation_of p (count l) f eps eta i).
  set (ell := dot p (along_linear d f) eps + dot (count l) (along_symbol d f) eta).
  set (s := inverse_sqrt (second_moment d e0 (Z v)) - (m + factor * ell)).
  assert (Hrho : forall i, (i < d)%nat -> Rabs (rho i) <= radius f i).
  { intros i Hi. replace (rho i) with (Z v i - (center f i + deviation_of p (count l) f eps eta i))
      by (unfold rho, e, c; ring). apply H. rewrite <- Hcount. assumption. }
  assert (Hother : norm d rest <= other).
  { eapply Rle_trans; [right | apply (Hrest eps eta (Z v) He Hl H)].
    apply norm_ext; intros; unfold rest, e, c; ring. }
  assert (Hnorm : norm d e <= N).
  { rewrite (norm_ext d e (fun i => mat_vec p (linear f) eps i + rest i)) by (intros; unfold rest, mat_vec; ring).
    apply norm_plus; [| assumption]. apply norm_le; [apply Rmult_le_pos; assumption |].
    eapply Rle_trans; [apply HA |]. rewrite Rpow_mult_distr, Rmult_comm.
    apply Rmult_le_compat_r; [apply pow2_ge_0 | exact He]. }
  assert (HE : norm2 d e / INR d <= E).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; assumption |]. apply norm2_le_square. assumption. }
  assert (HL : Rabs (dot d c e - ell) <= L).
  { unfold ell, along_linear, along_symbol. rewrite !dot_of_rows. unfold dot at 1.
    rewrite <- sum_plus, <- sum_minus. apply abs_sum_le; intros i Hi. fold c.
    replace (c i * e i - (c i * dot p (linear f i) eps + c i * dot (count l) (symbol f i) eta)) with (c i * rho i)
      by (unfold rho, deviation_of; ring).
    rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | auto]. }
  assert (HS : Rabs ell <= S) by (apply support_bounds; assumption).
  assert (Hs : Rabs s <= sigma).
  { unfold s, factor, sigma. replace (second_moment d e0 (Z v)) with (second_moment d e0 (fun i => c i + e i)).
    - apply (inverse_sqrt_remainder d e0 c e ell E L S slope m error); assumption.
    - unfold second_moment. do 2 f_equal. apply norm2_ext; intros; unfold e; ring. }
  (* the product *)
  set (u := factor * dot (count l) (along_symbol d f) eta + s).
  assert (Eu : dot p b eps + u = factor * ell + s) by (unfold u, b, ell; rewrite dot_scale_l; ring).
  assert (Hu : r * norm p b + Rabs u <= all).
  { unfold b, u, all, S, support. rewrite norm_scale.
    pose proof (symbol_support_bounds l (along_symbol d f) eta Hl) as Hy.
    apply (Rmult_le_compat_l (Rabs factor)) in Hy; [| apply Rabs_pos]. rewrite <- Rabs_mult in Hy.
    pose proof (Rabs_triang (factor * dot (count l) (along_symbol d f) eta) s). lra. }
  set (prod := fun i => e i * (factor * ell + s) - r ^ 2 / 2 * dot p (linear f i) b + m * rho i).
  exists (joined_twice (count l) 1 eta (fun _ => s) prod). split; [| split].
  - change 1%nat with (size (entries 1 (fun _ => sigma))).
    apply within_joined_twice; [assumption | apply entries_within; intros; assumption |].
    assert (Hprod : norm d prod <= N * all - r * a * (r * norm p b) / 2 + Rabs m * norm d (radius f)).
    { apply norm_plus with (x := fun i => e i * (factor * ell + s) - r ^ 2 / 2 * dot p (linear f i) b).
      - rewrite (norm_ext d _ (fun i => (mat_vec p (linear f) eps i + rest i) * (dot p b eps + u)
          - r ^ 2 / 2 * mat_vec p (linear f) b i)) by (intros; rewrite Eu; unfold rest, mat_vec; ring).
        apply (product_remainder p r eps Hr He d (linear f) a b rest u); try assumption; try lra. unfold N. lra.
      - rewrite norm_scale. apply Rmult_le_compat_l; [apply Rabs_pos |]. apply norm_of_bounds. assumption. }
    split; [eapply Rle_trans; [apply norm_nonneg | exact Hprod] |]. simpl. split.
    + intros i Hi. unfold prod. eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat.
      * replace (e i * (factor * ell + s) - r ^ 2 / 2 * dot p (linear f i) b)
          with ((dot p (linear f i) eps + rest i) * (dot p b eps + u) - r ^ 2 / 2 * dot p (linear f i) b)
          by (rewrite Eu; unfold rest; ring).
        apply (product_remainder_scalar p r eps Hr He (linear f i) b (rest i) u); try lra; try assumption.
        unfold spread, support.
        pose proof (symbol_support_bounds l (symbol f i) eta Hl) as Hy. pose proof (Hrho i Hi) as Hq.
        replace (rest i) with (dot (count l) (symbol f i) eta + rho i) by (unfold rest, rho, deviation_of; ring).
        pose proof (Rabs_triang (dot (count l) (symbol f i) eta) (rho i)). lra.
      * rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | auto].
    + apply norm2_le_square. exact Hprod.
  - intros; apply joined_twice_older; assumption.
  - intros i Hi. simpl in Hi. unfold deviation_of. simpl count. cbn [center linear symbol radius normalize_form].
    change (count l + 1 + d)%nat with (count l + 1 + d)%nat.
    rewrite dot_joined_twice, dot_own by assumption. rewrite !dot_plus_l, !dot_scale_l.
    replace (dot 1 (fun _ => center f i) (fun _ => s)) with (c i * s) by (unfold dot; simpl; unfold c; ring).
    fold b. simpl value. unfold normalized.
    replace (inverse_sqrt (second_moment d e0 (Z v))) with (m + factor * ell + s) by (unfold s; ring).
    match goal with |- Rabs ?x <= _ => replace x with 0 end; [rewrite Rabs_R0; lra |].
    unfold prod, rho, deviation_of, e, ell. fold c. ring.
Qed.

End Normalize.
