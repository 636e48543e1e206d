(* What a displacement E can do in a region of radius tau, the sequence's ball or the tokens', some tokens moving: the
   bounds of ball_geometry.c and ball_change.c in src/ball. With c_ij = delta_j - P_i, primes at X + E,

     |phi_ij(E)|                 <= tau ||Phi_ij||                                        on the sequence's ball,
                                    tau (sum_m |c_ijm| |g_i| + |h_j - hbar_i|)            on the tokens',
     |e_i| |sum_m c_ijm e_m|     <= tau^2 (|c_iji| + |c_ij|) / 2,      tau^2 sum_m |c_ijm|,
     |e_j - sum_m P'_im e_m|     <= tau |c'_ij|,                       2 tau (1 - P'_ij),
     |c'_ij|^2                   <= (1 - low_j)^2 + sum_m high_m^2 - high_j^2    if low_j <= P'_ij and P'_im <= high_m.

   Only what moves counts in the first two: Phi_ij, c_ij and the sums are over the moving m, h_j - hbar_i is there if i
   moves, and the second line is 0 if i does not.

   Proof. Cauchy-Schwarz over all m at once, or for each m. For the second line on the sequence's ball, with x = |e_i|,
   y^2 the squares of the other tokens, c = |c_iji| and b^2 the squares of the other c_ijm, it is at most c x^2 + b x y,
   a quadratic form whose largest eigenvalue is v = (c + s)/2, s^2 = c^2 + b^2: with u = v - c and u v = b^2 / 4

     v (x^2 + y^2) - c x^2 - b x y = (u^{1/2} x -+ v^{1/2} y)^2 >= 0. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz ball.
From attcert Require Import softmax_mean second_derivative norm growth weight_change curvature_terms form_change gram.
Open Scope R_scope.

(* ---- Sums over what moves ---- *)

Definition kept (moving : nat -> bool) (c : vector) : vector := fun m => if moving m then c m else 0.
Definition without (i : nat) (c : vector) : vector := fun m => if Nat.eqb i m then 0 else c m.

Lemma sum_split n i f : (i < n)%nat -> sum n f = f i + sum n (without i f).
Proof.
  intros Hi. rewrite <- (sum_only n i f Hi) at 1. rewrite <- sum_plus. apply sum_ext; intros m _. unfold without.
  destruct (Nat.eqb i m); ring.
Qed.

Lemma norm2_split n i c : (i < n)%nat -> norm2 n c = c i ^ 2 + norm2 n (without i c).
Proof.
  intros Hi. unfold norm2. rewrite (sum_split n i) by assumption. f_equal. apply sum_ext; intros m _. unfold without.
  destruct (Nat.eqb i m); ring.
Qed.

(* sum_m c_m e_m *)
Definition combination (n : nat) (c : vector) (E : tokens) : vector := fun e => sum n (fun m => c m * E m e).

Lemma combination_kept moving n d c E e : moves_only moving n d E -> (e < d)%nat ->
  combination n c E e = combination n (kept moving c) E e.
Proof.
  intros H He. apply sum_ext; intros m Hm. unfold kept. destruct (moving m) eqn:Em; [reflexivity |].
  rewrite (H m e Hm He Em). ring.
Qed.

(* |sum_m c_m e_m| <= |c| ||E||_F *)
Lemma combination_le n d c E : norm d (combination n c E) <= norm n c * sequence_norm n d E.
Proof.
  set (u := combination n c E). set (q := norm d u).
  assert (Hq : 0 <= q) by apply norm_nonneg.
  assert (H : q * q <= q * (norm n c * sequence_norm n d E)).
  { replace (q * q) with (q ^ 2) by ring. unfold q at 1. rewrite norm_square, norm2_dot. unfold u at 2, combination.
    rewrite dot_combination_r. eapply Rle_trans; [apply Rle_abs |].
    eapply Rle_trans; [apply (gradient_sum_le n d c u E) |]. right. fold q. ring. }
  destruct (Req_dec q 0) as [-> | Q0].
  - apply Rmult_le_pos; [apply norm_nonneg | apply sequence_norm_nonneg].
  - apply Rmult_le_reg_l with q; lra.
Qed.

(* |sum_m c_m e_m| <= tau sum_m |c_m| where no token moves by more than tau. *)
Lemma combination_of_tokens_le n d tau c E : 0 <= tau -> in_ball n d tau E ->
  norm d (combination n c E) <= sum n (fun m => Rabs (c m)) * tau.
Proof.
  intros Ht HE. eapply Rle_trans; [apply (combination_norm_le n d (fun m => Rabs (c m)) E c); intros; lra |].
  rewrite <- sum_scale_r. apply sum_le; intros m Hm. apply Rmult_le_compat_l; [apply Rabs_pos |].
  apply norm_le; [assumption | apply HE; assumption].
Qed.

(* ---- The largest eigenvalue of c x^2 + b x y ---- *)

Lemma quadratic_form_le c b x y tau : 0 <= c -> 0 <= tau -> x ^ 2 + y ^ 2 <= tau ^ 2 ->
  c * x ^ 2 + b * x * y <= (c + sqrt (c ^ 2 + b ^ 2)) / 2 * tau ^ 2.
Proof.
  intros Hc Ht H. set (s := sqrt (c ^ 2 + b ^ 2)).
  assert (Hs0 : 0 <= s) by apply sqrt_pos.
  assert (Hs : s ^ 2 = c ^ 2 + b ^ 2).
  { apply pow2_sqrt. pose proof (pow2_ge_0 c). pose proof (pow2_ge_0 b). lra. }
  assert (Hcs : c <= s) by (apply square_le_le; [pose proof (pow2_ge_0 b); lra | assumption]).
  apply Rle_trans with ((c + s) / 2 * (x ^ 2 + y ^ 2)); [| apply Rmult_le_compat_l; lra].
  set (u := (s - c) / 2). set (v := (c + s) / 2). assert (Hu : 0 <= u) by (unfold u; lra).
  assert (Hv : 0 <= v) by (unfold v; lra).
  assert (B : (sqrt u * sqrt v) ^ 2 = (b / 2) ^ 2).
  { rewrite Rpow_mult_distr, !pow2_sqrt by assumption. unfold u, v.
    replace ((s - c) / 2 * ((c + s) / 2)) with ((s ^ 2 - c ^ 2) / 4) by field. rewrite Hs. field. }
  assert (D : Rabs (b / 2) <= sqrt u * sqrt v).
  { apply abs_le_of_square; [lra | apply Rmult_le_pos; apply sqrt_pos]. }
  assert (P : b / 2 * (x * y) <= sqrt u * sqrt v * Rabs (x * y)).
  { eapply Rle_trans; [apply Rle_abs |]. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos | assumption]. }
  pose proof (pow2_ge_0 (sqrt u * Rabs x - sqrt v * Rabs y)) as Q. rewrite Rabs_mult in P.
  replace ((sqrt u * Rabs x - sqrt v * Rabs y) ^ 2)
    with (sqrt u ^ 2 * Rabs x ^ 2 - 2 * (sqrt u * sqrt v * (Rabs x * Rabs y)) + sqrt v ^ 2 * Rabs y ^ 2) in Q by ring.
  rewrite !pow2_sqrt, !pow2_abs in Q by assumption. set (k := sqrt u * sqrt v) in *.
  replace u with (v - c) in Q by (unfold u, v; field). lra.
Qed.

(* ---- Probabilities p and c_j = delta_j - p ---- *)
Section Centring.
Variables (n : nat) (p : vector).
Hypothesis Hp : probability n p.

Definition centred (j m : nat) : R := (if Nat.eqb j m then 1 else 0) - p m.

Lemma centred_self j : centred j j = 1 - p j.
Proof. unfold centred. rewrite Nat.eqb_refl. reflexivity. Qed.

(* e_j - sum_m p_m e_m *)
Lemma deviation_combination j E e : (j < n)%nat -> deviation n p E j e = combination n (centred j) E e.
Proof.
  intros Hj. unfold combination, centred.
  rewrite (sum_ext n _ (fun m => (if Nat.eqb j m then E m e else 0) - p m * E m e))
    by (intros m _; destruct (Nat.eqb j m); ring).
  rewrite sum_minus, (sum_only n j (fun m => E m e)) by assumption. reflexivity.
Qed.

(* sum_m |c_jm| = 2 (1 - p_j) *)
Lemma centred_abs_sum j : (j < n)%nat -> sum n (fun m => Rabs (centred j m)) = 2 * (1 - p j).
Proof.
  intros Hj. pose proof (probability_le_1 n p j Hp Hj) as H1. destruct Hp as [H0 HS].
  rewrite (sum_split n j), centred_self, Rabs_pos_eq by (auto; lra).
  rewrite (sum_ext n (without j _) (without j p)).
  - pose proof (sum_split n j p Hj). lra.
  - intros m Hm. unfold without, centred. destruct (Nat.eqb j m); [reflexivity |].
    replace (0 - p m) with (- p m) by ring. rewrite Rabs_Ropp. apply Rabs_pos_eq; auto.
Qed.

Theorem centred_norm_le j low high : (j < n)%nat -> low <= p j -> (forall m, (m < n)%nat -> p m <= high m) ->
  norm n (centred j) <= sqrt ((1 - low) ^ 2 + norm2 n high - high j ^ 2).
Proof.
  intros Hj Hl Hh. pose proof (probability_le_1 n p j Hp Hj) as H1. destruct Hp as [H0 _].
  apply sqrt_le_1_alt. rewrite (norm2_split n j (centred j)), (norm2_split n j high), centred_self by assumption.
  assert ((1 - p j) ^ 2 <= (1 - low) ^ 2) by (apply pow_incr; lra).
  assert (norm2 n (without j (centred j)) <= norm2 n (without j high)); [| lra].
  apply sum_le; intros m Hm. unfold without, centred. destruct (Nat.eqb j m); [lra |].
  replace ((0 - p m) ^ 2) with (p m ^ 2) by ring. apply pow_incr. auto.
Qed.

(* |e_j - sum_m p_m e_m| *)
Theorem offset_in_sequence_ball moving d tau E j : (j < n)%nat -> 0 <= tau -> sequence_ball moving n d tau E ->
  norm d (deviation n p E j) <= norm n (centred j) * tau.
Proof.
  intros Hj Ht [_ HE].
  replace (norm d (deviation n p E j)) with (norm d (combination n (centred j) E))
    by (unfold norm; f_equal; apply norm2_ext; intros; symmetry; apply deviation_combination; assumption).
  eapply Rle_trans; [apply combination_le |]. apply Rmult_le_compat_l; [apply norm_nonneg |].
  apply sequence_norm_le; assumption.
Qed.

Theorem offset_in_token_ball moving d tau E j low : (j < n)%nat -> 0 <= tau -> low <= p j ->
  token_ball moving n d tau E -> norm d (deviation n p E j) <= 2 * (1 - low) * tau.
Proof.
  intros Hj Ht Hl [_ HE].
  replace (norm d (deviation n p E j)) with (norm d (combination n (centred j) E))
    by (unfold norm; f_equal; apply norm2_ext; intros; symmetry; apply deviation_combination; assumption).
  eapply Rle_trans; [apply (combination_of_tokens_le n d tau); assumption |]. rewrite centred_abs_sum by assumption.
  apply Rmult_le_compat_r; lra.
Qed.

End Centring.

(* ---- One head at X ---- *)
Section Head.
Variables (moving : nat -> bool) (h : head) (n : nat) (attends : mask) (X E : tokens) (tau : R).
Local Notation d := (width h).
Local Notation c := (centring h n attends X).
Hypothesis Htau : 0 <= tau.

(* |phi_ij(E)| <= rate tau *)
Definition sequence_rate (i j : nat) : R := sequence_norm n d (part_of moving (slope_vector h n attends X i j)).
Definition token_rate (i j : nat) : R :=
  sum n (kept moving (fun m => Rabs (c i j m) * norm d (key_gradient h X i)
    + if Nat.eqb i m then norm d (deviation n (weight h n attends X i) (query_gradient h X) j) else 0)).

(* |e_i| |sum_m c_ijm e_m| <= bend tau^2 *)
Definition sequence_bend (i j : nat) : R :=
  if moving i then (Rabs (c i j i) + norm n (kept moving (c i j))) / 2 else 0.
Definition token_bend (i j : nat) : R :=
  if moving i then sum n (fun m => Rabs (kept moving (c i j) m)) else 0.

Theorem slope_in_sequence_ball i j : (i < n)%nat -> (j < n)%nat -> sequence_ball moving n d tau E ->
  Rabs (slope h n attends X E i j) <= sequence_rate i j * tau.
Proof.
  intros Hi Hj [Hm HE]. rewrite slope_is_form, (form_of_moving moving) by assumption.
  eapply Rle_trans; [apply sequence_dot_le_norms |]. apply Rmult_le_compat_l; [apply sequence_norm_nonneg |].
  apply sequence_norm_le; assumption.
Qed.

Theorem slope_in_token_ball i j : (i < n)%nat -> (j < n)%nat -> token_ball moving n d tau E ->
  Rabs (slope h n attends X E i j) <= token_rate i j * tau.
Proof.
  intros Hi Hj [Hm HE]. rewrite slope_by_gradients by assumption.
  set (g := key_gradient h X i). set (u := deviation n (weight h n attends X i) (query_gradient h X) j).
  rewrite <- (sum_only n i (fun m => dot d u (E m))) by assumption. rewrite <- sum_plus.
  eapply Rle_trans; [apply sum_abs_le |]. unfold token_rate. rewrite <- sum_scale_r. fold g u.
  assert (B : forall x m, (m < n)%nat -> Rabs (dot d x (E m)) <= norm d x * tau).
  { intros x m Hmn. eapply Rle_trans; [apply dot_le_norms |]. apply Rmult_le_compat_l; [apply norm_nonneg |].
    apply norm_le; [assumption | apply HE; assumption]. }
  apply sum_le; intros m Hmn. unfold kept. destruct (moving m) eqn:Em.
  - eapply Rle_trans; [apply Rabs_triang |]. rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    + rewrite Rabs_mult, Rmult_assoc. apply Rmult_le_compat_l; [apply Rabs_pos | auto].
    + destruct (Nat.eqb i m); [auto | rewrite Rabs_R0; lra].
  - assert (Z : forall x, dot d x (E m) = 0).
    { intros x. apply sum_zero; intros e He. rewrite (Hm m e Hmn He Em). ring. }
    rewrite !Z. replace (c i j m * 0 + (if Nat.eqb i m then 0 else 0)) with 0
      by (destruct (Nat.eqb i m); ring).
    rewrite Rabs_R0. lra.
Qed.

(* A token that does not move. *)
Lemma still_token i : (i < n)%nat -> moves_only moving n d E -> moving i = false -> norm d (E i) = 0.
Proof.
  intros Hi Hm Ei. unfold norm. replace (norm2 d (E i)) with 0; [apply sqrt_0 |].
  symmetry. apply sum_zero; intros e He. rewrite (Hm i e Hi He Ei). ring.
Qed.

Lemma displacement_kept i j : moves_only moving n d E ->
  norm d (centred_displacement h n attends X E i j) = norm d (combination n (kept moving (c i j)) E).
Proof.
  intros Hm. unfold norm. f_equal. apply norm2_ext; intros e He.
  apply (combination_kept moving n d (c i j)); assumption.
Qed.

Theorem bend_in_token_ball i j : (i < n)%nat -> token_ball moving n d tau E ->
  norm d (E i) * norm d (centred_displacement h n attends X E i j) <= token_bend i j * tau ^ 2.
Proof.
  intros Hi [Hm HE]. unfold token_bend. destruct (moving i) eqn:Ei.
  - rewrite displacement_kept by assumption.
    apply Rle_trans with (tau * (sum n (fun m => Rabs (kept moving (c i j) m)) * tau)); [| right; ring].
    apply Rmult_le_compat; try apply norm_nonneg.
    + apply norm_le; [assumption | apply HE; assumption].
    + apply combination_of_tokens_le; assumption.
  - rewrite still_token by assumption. lra.
Qed.

Theorem bend_in_sequence_ball i j : (i < n)%nat -> sequence_ball moving n d tau E ->
  norm d (E i) * norm d (centred_displacement h n attends X E i j) <= sequence_bend i j * tau ^ 2.
Proof.
  intros Hi [Hm HE]. unfold sequence_bend. destruct (moving i) eqn:Ei; [| rewrite still_token by assumption; lra].
  rewrite displacement_kept by assumption. set (k := kept moving (c i j)).
  assert (Ek : c i j i = k i) by (unfold k, kept; rewrite Ei; reflexivity). rewrite Ek.
  set (rest := fun m e => if Nat.eqb i m then 0 else E m e).
  set (x := norm d (E i)). set (y := sequence_norm n d rest). set (b := norm n (without i k)).
  assert (Hx : 0 <= x) by apply norm_nonneg. assert (Hy : 0 <= y) by apply sequence_norm_nonneg.
  assert (S : x ^ 2 + y ^ 2 <= tau ^ 2).
  { eapply Rle_trans; [right | exact HE]. unfold x, y. rewrite norm_square, sequence_norm_square.
    unfold sequence_norm2 at 2. rewrite (sum_split n i) by assumption. f_equal. apply sum_ext; intros m _.
    unfold rest, without. destruct (Nat.eqb i m); [apply sum_zero; intros; ring | reflexivity]. }
  assert (N : norm d (combination n k E) <= Rabs (k i) * x + b * y).
  { replace (norm d (combination n k E)) with (norm d (fun e => k i * E i e + combination n (without i k) rest e)).
    - eapply Rle_trans; [apply norm_triangle |]. rewrite norm_scale. apply Rplus_le_compat_l. apply combination_le.
    - unfold norm. f_equal. apply norm2_ext; intros e _. unfold combination.
      rewrite (sum_split n i (fun m => k m * E m e)) by assumption. f_equal. apply sum_ext; intros m _.
      unfold without, rest. destruct (Nat.eqb i m); ring. }
  apply Rle_trans with (Rabs (k i) * x ^ 2 + b * x * y).
  - apply Rle_trans with (x * (Rabs (k i) * x + b * y)); [apply Rmult_le_compat_l; assumption | right; ring].
  - eapply Rle_trans; [apply (quadratic_form_le (Rabs (k i)) b x y tau); auto using Rabs_pos |].
    right. f_equal. f_equal. f_equal. unfold norm at 1. f_equal.
    rewrite (norm2_split n i k), pow2_abs by assumption. f_equal. apply norm_square.
Qed.

End Head.
