(* T11's bound T(tau) of a head's second derivative on a region of radius tau, as src/ball/ball_curvature.c evaluates
   it: |U . D^2 f(X + E)[E', F]| <= T(tau) for every E of the region, all unit U, F and all unit E' that move only what
   may move. From the sizes at X (ball_geometry.v) and the numbers of ball_change.v:

     T = ||V|| (mixed_keys + keys_change + mixed_forms + forms_change)                                       (a)
         + ||A|| (max_i (product_keys_i + |q_i|) + max over moving i of (product_rows_i + |q_i|))            (b)
         + min(largest_all stack_moving, largest_moving stack_all),                                          (c)

   keys_change and forms_change norms of the matrices excess slope + upper turn, q_ij = excess_ij |w_ij| + upper_ij
   stretch_ij, both over the moving j where the keys are restricted; with mass = upper (|w| + stretch),
   xi_i^2 = sum_j mass turn^2 and N_il^2 = sum_jr mass_ij slope_ij^2 mass_lr slope_lr^2 cosine_ijlr

     largest = max_i (N_ii^{1/2} + xi_i),     stack = rho(N)^{1/2} + |xi|.

   Proof. The terms of curvature_terms.v at X + E, their norms by norm_change.v from those at X and the changes of the
   entries. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean second_derivative norm growth weight_change curvature_terms.
From attcert Require Import form_change norm_change gram stack_norm region_change ball_geometry ball_change.
Open Scope R_scope.

(* max(0, f_0, ..., f_{n-1}) *)
Fixpoint largest_of (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S k => Rmax (largest_of k f) (f k)
  end.

Lemma largest_of_nonneg n f : 0 <= largest_of n f.
Proof. induction n; simpl; [lra |]. eapply Rle_trans; [exact IHn | apply Rmax_l]. Qed.

Lemma largest_of_le n f i : (i < n)%nat -> f i <= largest_of n f.
Proof.
  induction n; intros Hi; [lia |]. simpl. destruct (Nat.eq_dec i n) as [-> | Hn]; [apply Rmax_r |].
  eapply Rle_trans; [apply IHn; lia | apply Rmax_l].
Qed.

(* ---- T(tau) ---- *)

(* Upper ends of norms of matrices that are not negative, whatever finds them. *)
Record norms := Norms { keys_change : R; forms_change : R; radius_of : ball_part -> R }.

Section Numbers.
Variables (moving : nat -> bool) (kind : ball_kind) (n : nat) (g : geometry) (tau : R) (N : norms).
Local Notation excess := (excess n g tau).
Local Notation upper := (upper n g tau).
Local Notation turn := (turn moving kind n g tau).
Local Notation stretch := (stretch kind n g tau).

(* (a) *)
Definition mixed_change (keep : nat -> bool) (part : ball_part) : matrix :=
  fun i j => if keep j then excess i j * slope_size g part i j + upper i j * turn i j else 0.

(* (b) *)
Definition product_change (keep : nat -> bool) (i : nat) : vector :=
  fun j => if keep j then excess i j * deviation_size g i j + upper i j * stretch i j else 0.
Definition keys_norm : R := largest_of n (fun i => product_keys g i + norm n (product_change moving i)).
Definition rows_norm : R :=
  largest_of n (fun i => if moving i then product_rows g i + norm n (product_change (fun _ => true) i) else 0).

(* (c) *)
Definition mass : matrix := fun i j => (deviation_size g i j + stretch i j) * upper i j.
Definition form_change : vector := fun i => sqrt (sum n (fun j => mass i j * turn i j ^ 2)).
Definition form_gram (part : ball_part) : matrix := fun i l =>
  sqrt (sum n (fun j => sum n (fun r =>
    mass i j * slope_size g part i j ^ 2 * (mass l r * slope_size g part l r ^ 2) * cosine g part i j l r))).
Definition largest (part : ball_part) : R := largest_of n (fun i => sqrt (form_gram part i i) + form_change i).
Definition stack (part : ball_part) : R := sqrt (radius_of N part) + norm n form_change.

Definition curvature_bound : R :=
  value_size g * (mixed_keys g + keys_change N + (mixed_forms g + forms_change N))
  + score_size g * (keys_norm + rows_norm)
  + Rmin (largest every_token * stack moving_tokens) (largest moving_tokens * stack every_token).

Record norms_hold : Prop := {
  keys_change_nonneg : 0 <= keys_change N;
  forms_change_nonneg : 0 <= forms_change N;
  radius_nonneg : forall part, 0 <= radius_of N part;
  keys_change_holds : bounded n n (mixed_change moving every_token) (keys_change N);
  forms_change_holds : bounded n n (mixed_change (fun _ => true) moving_tokens) (forms_change N);
  radius_holds : forall part x, (forall i, (i < n)%nat -> 0 <= x i) ->
    sum n (fun i => sum n (fun l => x i * form_gram part i l * x l)) <= radius_of N part * norm2 n x
}.

Lemma largest_nonneg part : 0 <= largest part.
Proof. apply largest_of_nonneg. Qed.

Lemma stack_nonneg part : 0 <= stack part.
Proof. apply Rplus_le_le_0_compat; [apply sqrt_pos | apply norm_nonneg]. Qed.

End Numbers.

(* There are always such norms, each matrix's by its entries. *)
Theorem norms_exist moving kind n g tau : exists N, norms_hold moving kind n g tau N.
Proof.
  exists {| keys_change := frobenius n n (mixed_change moving kind n g tau moving every_token);
            forms_change := frobenius n n (mixed_change moving kind n g tau (fun _ => true) moving_tokens);
            radius_of := fun part => frobenius n n (form_gram kind n g tau part) |}.
  constructor; simpl; intros; try apply sqrt_pos; try apply frobenius_bound.
  set (G := form_gram kind n g tau part).
  apply Rle_trans with (dot n x (mat_vec n G x)).
  - right. apply sum_ext; intros i _. unfold mat_vec, dot. rewrite <- sum_scale. apply sum_ext; intros; ring.
  - eapply Rle_trans; [apply Rle_abs | eapply Rle_trans; [apply dot_le_norms |]].
    rewrite <- norm_square.
    replace (frobenius n n G * norm n x ^ 2) with (norm n x * (frobenius n n G * norm n x)) by ring.
    apply Rmult_le_compat_l; [apply norm_nonneg |].
    apply norm_le; [apply Rmult_le_pos; [apply sqrt_pos | apply norm_nonneg] |].
    rewrite Rpow_mult_distr, norm_square. apply (frobenius_bound n n G).
Qed.

Section Head.
Variables (moving : nat -> bool) (kind : ball_kind) (h : head) (n : nat) (attends : mask) (m : nat) (W : matrix).
Variables (X : tokens) (g : geometry) (tau : R) (N : norms).
Local Notation d := (width h).
Local Notation P := (weight h n attends X).
Local Notation excess := (excess n g tau).
Local Notation upper := (upper n g tau).
Local Notation turn := (turn moving kind n g tau).
Local Notation stretch := (stretch kind n g tau).
Local Notation mass := (mass kind n g tau).
Local Notation form_change := (form_change moving kind n g tau).
Local Notation form_gram := (form_gram kind n g tau).
Local Notation largest := (largest moving kind n g tau).
Local Notation stack := (stack moving kind n g tau N).
Hypothesis Hmask : no_empty_row n attends.
Hypothesis Htau : 0 <= tau.
Hypothesis Hg : geometry_holds moving kind h n attends m W X g.
Hypothesis HN : norms_hold moving kind n g tau N.

Lemma curvature_bound_nonneg : 0 <= curvature_bound moving kind n g tau N.
Proof.
  destruct Hg, HN. unfold curvature_bound. apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat |].
  - apply Rmult_le_pos; [assumption | lra].
  - apply Rmult_le_pos; [assumption |]. apply Rplus_le_le_0_compat; apply largest_of_nonneg.
  - apply Rmin_glb; apply Rmult_le_pos; auto using largest_nonneg, stack_nonneg.
Qed.

Section Displaced.
Variable E : tokens.
Hypothesis HE : ball kind moving n d tau E.
Local Notation P' := (weight h n attends (displaced X E)).
Local Notation w := (projected_deviation h n attends W X).
Local Notation w' := (projected_deviation h n attends W (displaced X E)).
Local Notation phi := (slope h n attends X).
Local Notation phi' := (slope h n attends (displaced X E)).

Lemma weight_nonneg' i j : (i < n)%nat -> (j < n)%nat -> 0 <= P' i j.
Proof. apply weight_nonneg; assumption. Qed.

Lemma excess_ok i j : (i < n)%nat -> (j < n)%nat -> Rabs (P' i j - P i j) <= excess i j.
Proof. apply (excess_holds moving kind h n attends m W X E g tau); assumption. Qed.

Lemma upper_ok i j : (i < n)%nat -> (j < n)%nat -> P' i j <= upper i j.
Proof. apply (upper_holds moving kind h n attends m W X E g tau); assumption. Qed.

Lemma slope_ok F i j : (i < n)%nat -> (j < n)%nat ->
  Rabs (phi' F i j - phi F i j) <= turn i j * sequence_norm n d F.
Proof. apply (slope_moves moving kind h n attends m W X E g tau); assumption. Qed.

Lemma deviation_ok i j : (i < n)%nat -> (j < n)%nat -> norm m (fun r => w' i j r - w i j r) <= stretch i j.
Proof. apply (deviation_moves moving kind h n attends m W X E g tau); assumption. Qed.

Lemma excess_pos i j : 0 <= excess i j.
Proof. apply (excess_nonneg moving kind h n attends m W X); assumption. Qed.

Lemma upper_pos i j : 0 <= upper i j.
Proof. apply (upper_nonneg moving kind h n attends m W X); assumption. Qed.

Lemma turn_pos i j : (i < n)%nat -> (j < n)%nat -> 0 <= turn i j.
Proof. apply (turn_nonneg moving kind h n attends m W X E); assumption. Qed.

Lemma stretch_pos i j : (i < n)%nat -> (j < n)%nat -> 0 <= stretch i j.
Proof. apply (stretch_nonneg moving kind h n attends m W X E); assumption. Qed.

(* ---- (a) ---- *)

Lemma slope_of_part part F i j : (i < n)%nat -> (j < n)%nat -> attends i j = true ->
  (part = moving_tokens -> moves_only moving n d F) ->
  Rabs (phi F i j) <= slope_size g part i j * sequence_norm n d F.
Proof.
  intros Hi Hj Hij HF. rewrite (slope_by_part moving h n attends X part) by assumption.
  eapply Rle_trans; [apply sequence_dot_le_norms |]. apply Rmult_le_compat_r; [apply sequence_norm_nonneg |].
  apply (slope_holds _ _ _ _ _ _ _ _ _ Hg); assumption.
Qed.

Lemma mixed_norm_le keep part mu nu F : (part = moving_tokens -> moves_only moving n d F) -> 0 <= mu -> 0 <= nu ->
  bounded n n (kept_form h n attends keep X F) (mu * sequence_norm n d F) ->
  bounded n n (mixed_change moving kind n g tau keep part) nu ->
  bounded n n (kept_form h n attends keep (displaced X E) F) ((mu + nu) * sequence_norm n d F).
Proof.
  intros HF Hmu Hnu HM HC. rewrite Rmult_plus_distr_r.
  pose proof (sequence_norm_nonneg n d F) as Hf.
  apply (mixed_norm_change n (kept_form h n attends keep X F) _ (mixed_change moving kind n g tau keep part));
    try assumption; [apply Rmult_le_pos; assumption |].
  intros i j Hi Hj. unfold kept_form, mixed_change.
  destruct (keep j); [| rewrite !Rmult_0_l, Rminus_0_r, Rabs_R0; lra].
  pose proof (weight_nonneg' i j Hi Hj) as H0.
  destruct (attends i j) eqn:Hij.
  - eapply Rle_trans; [apply (product_change_le _ _ _ _ _ _ H0 (excess_ok i j Hi Hj) (slope_ok F i j Hi Hj)) |].
    rewrite Rmult_plus_distr_r, !Rmult_assoc. apply Rplus_le_compat.
    + apply Rmult_le_compat_l; [apply excess_pos | apply slope_of_part; assumption].
    + apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply turn_pos |]; assumption | apply upper_ok; assumption].
  - rewrite !weight_unattended, !Rmult_0_l, Rminus_0_r, Rabs_R0 by assumption.
    apply Rmult_le_pos; [| assumption]. destruct Hg.
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto using excess_pos, upper_pos, turn_pos.
Qed.

(* ---- (b) ---- *)

Lemma product_norm_le keep i nu bound : (i < n)%nat -> 0 <= nu ->
  (forall u, norm2 n (fun j => dot m (kept_product h n attends W keep X i j) u) <= nu ^ 2 * norm2 m u) ->
  nu + norm n (product_change kind n g tau keep i) <= bound ->
  forall u, norm2 n (fun j => dot m (kept_product h n attends W keep (displaced X E) i j) u) <= bound ^ 2 * norm2 m u.
Proof.
  intros Hi Hnu H HB u. set (q := product_change kind n g tau keep i) in *.
  apply Rle_trans with ((nu + norm n q) ^ 2 * norm2 m u).
  - apply (product_norm_change n m (kept_product h n attends W keep X i)); try assumption.
    intros j Hj. unfold kept_product, q, product_change.
    destruct (keep j).
    + pose proof (weight_nonneg' i j Hi Hj) as H0.
      eapply Rle_trans; [apply (product_change_norm_le m (P i j) (P' i j) (w i j) (w' i j) _ _ H0
        (excess_ok i j Hi Hj) (deviation_ok i j Hi Hj)) |].
      apply Rplus_le_compat.
      * destruct (attends i j) eqn:Hij.
        -- apply Rmult_le_compat_l; [apply excess_pos | apply (deviation_holds _ _ _ _ _ _ _ _ _ Hg); assumption].
        -- destruct (weight_high_of_masked moving kind h n attends m W X g tau Hg i j Hi Hj Hij) as [-> _]. lra.
      * apply Rmult_le_compat_r; [apply stretch_pos; assumption | apply upper_ok; assumption].
    + right. unfold norm. replace (norm2 m _) with 0; [apply sqrt_0 |]. symmetry. apply sum_zero; intros; ring.
  - apply Rmult_le_compat_r; [apply norm2_nonneg |]. apply pow_incr.
    split; [apply Rplus_le_le_0_compat; [assumption | apply norm_nonneg] | assumption].
Qed.

(* ---- (c) ---- *)

Lemma mass_pos i j : (i < n)%nat -> (j < n)%nat -> 0 <= mass i j.
Proof.
  intros Hi Hj. apply Rmult_le_pos; [| apply upper_pos].
  apply Rplus_le_le_0_compat; [apply (deviation_nonneg _ _ _ _ _ _ _ _ _ Hg) | apply stretch_pos; assumption].
Qed.

Lemma mass_masked i j : (i < n)%nat -> (j < n)%nat -> attends i j = false -> mass i j = 0.
Proof.
  intros Hi Hj Hij. unfold ball_curvature.mass.
  destruct (weight_high_of_masked moving kind h n attends m W X g tau Hg i j Hi Hj Hij) as [_ ->]. ring.
Qed.

Lemma mass_holds i j : (i < n)%nat -> (j < n)%nat -> P' i j * norm m (w' i j) <= mass i j.
Proof.
  intros Hi Hj. destruct (attends i j) eqn:Hij.
  - unfold ball_curvature.mass. rewrite Rmult_comm.
    apply Rmult_le_compat; [apply norm_nonneg | apply weight_nonneg'; assumption | | apply upper_ok; assumption].
    replace (norm m (w' i j)) with (norm m (fun r => w i j r + (w' i j r - w i j r)))
      by (unfold norm; f_equal; apply norm2_ext; intros; ring).
    eapply Rle_trans; [apply norm_triangle |]. apply Rplus_le_compat; [| apply deviation_ok; assumption].
    apply (deviation_holds _ _ _ _ _ _ _ _ _ Hg); assumption.
  - rewrite mass_masked, weight_unattended by assumption. lra.
Qed.

(* Pairs of rows at X. *)
Lemma form_pair_le part i l : (i < n)%nat -> (l < n)%nat ->
  sum n (fun j => sum n (fun r => mass i j * mass l r *
    sequence_dot n d (part_form moving h n attends X part i j) (part_form moving h n attends X part l r) ^ 2))
  <= form_gram part i l ^ 2.
Proof.
  intros Hi Hl. unfold ball_curvature.form_gram.
  assert (Hpos : forall j r, (j < n)%nat -> (r < n)%nat ->
    0 <= mass i j * slope_size g part i j ^ 2 * (mass l r * slope_size g part l r ^ 2) * cosine g part i j l r).
  { intros j r Hj Hr. pose proof (mass_pos i j Hi Hj). pose proof (mass_pos l r Hl Hr).
    pose proof (cosine_nonneg _ _ _ _ _ _ _ _ _ Hg part i j l r).
    pose proof (pow2_ge_0 (slope_size g part i j)). pose proof (pow2_ge_0 (slope_size g part l r)).
    apply Rmult_le_pos; [apply Rmult_le_pos; apply Rmult_le_pos |]; assumption. }
  rewrite pow2_sqrt by (apply sum_nonneg; intros; apply sum_nonneg; intros; apply Hpos; assumption).
  apply sum_le; intros j Hj. apply sum_le; intros r Hr.
  destruct (attends i j) eqn:Hij; [| rewrite (mass_masked i j) by assumption; lra].
  destruct (attends l r) eqn:Hlr; [| rewrite (mass_masked l r) by assumption; lra].
  pose proof (cosine_holds _ _ _ _ _ _ _ _ _ Hg part i j l r Hi Hj Hl Hr Hij Hlr) as HC.
  apply (Rmult_le_compat_l (mass i j * mass l r)) in HC;
    [| apply Rmult_le_pos; apply mass_pos; assumption]. lra.
Qed.

Lemma form_gram_pos part i l : 0 <= form_gram part i l.
Proof. apply sqrt_pos. Qed.

(* Phi_i at X, and all of Phi. *)
Lemma form_square_at_center part F i : (i < n)%nat -> (part = moving_tokens -> moves_only moving n d F) ->
  sqrt (form_square n phi mass F i) <= sqrt (form_gram part i i) * sequence_norm n d F.
Proof.
  intros Hi HF. unfold sequence_norm. rewrite <- sqrt_mult_alt by apply form_gram_pos. apply sqrt_le_1_alt.
  pose proof (stack_norm_le 1 n d (fun _ => mass i) (fun _ _ => form_gram part i i)
    (fun _ => part_form moving h n attends X part i) (form_gram part i i)) as H.
  eapply Rle_trans; [| apply H].
  - simpl sum. rewrite Rplus_0_l. right. apply sum_ext; intros j Hj.
    rewrite (slope_by_part moving h n attends X part) by assumption. reflexivity.
  - intros _ j _ Hj. apply mass_pos; assumption.
  - intros. apply form_gram_pos.
  - intros. apply form_pair_le; assumption.
  - apply form_gram_pos.
  - intros x _. unfold norm2. simpl sum. right. ring.
Qed.

Lemma form_squares_at_center part F : (part = moving_tokens -> moves_only moving n d F) ->
  norm n (fun i => sqrt (form_square n phi mass F i)) <= sqrt (radius_of N part) * sequence_norm n d F.
Proof.
  intros HF. pose proof (radius_nonneg _ _ _ _ _ _ HN part) as Hr.
  unfold norm, sequence_norm. rewrite <- sqrt_mult_alt by assumption. apply sqrt_le_1_alt.
  pose proof (stack_norm_le n n d mass (form_gram part) (part_form moving h n attends X part) (radius_of N part)) as H.
  eapply Rle_trans; [| apply H]; auto using mass_pos, form_gram_pos, form_pair_le.
  - right. apply sum_ext; intros i Hi. rewrite pow2_sqrt.
    + apply sum_ext; intros j Hj. rewrite (slope_by_part moving h n attends X part) by assumption. reflexivity.
    + apply sum_nonneg; intros j Hj. apply Rmult_le_pos; [apply mass_pos; assumption | apply pow2_ge_0].
  - apply (radius_holds _ _ _ _ _ _ HN part).
Qed.

Lemma form_square_pos F i : (i < n)%nat -> 0 <= form_square n phi' mass F i.
Proof.
  intros Hi. apply sum_nonneg; intros j Hj. apply Rmult_le_pos; [apply mass_pos; assumption | apply pow2_ge_0].
Qed.

Lemma form_square_moves F i : (i < n)%nat ->
  sqrt (form_square n phi' mass F i) <= sqrt (form_square n phi mass F i) + form_change i * sequence_norm n d F.
Proof.
  intros Hi.
  apply (form_norm_change n (mass i) (phi F i) (phi' F i) (turn i)); auto using sequence_norm_nonneg, mass_pos.
  intros j Hj. apply slope_ok; assumption.
Qed.

Lemma largest_holds part F i : (i < n)%nat -> (part = moving_tokens -> moves_only moving n d F) ->
  form_square n phi' mass F i <= largest part ^ 2 * sequence_norm2 n d F.
Proof.
  intros Hi HF. rewrite <- (pow2_sqrt (form_square n phi' mass F i)) by (apply form_square_pos; assumption).
  rewrite <- sequence_norm_square, <- Rpow_mult_distr. apply pow_incr. split; [apply sqrt_pos |].
  eapply Rle_trans; [apply form_square_moves; assumption |].
  pose proof (form_square_at_center part F i Hi HF).
  apply Rle_trans with ((sqrt (form_gram part i i) + form_change i) * sequence_norm n d F); [lra |].
  apply Rmult_le_compat_r; [apply sequence_norm_nonneg |].
  apply (largest_of_le n (fun i => sqrt (form_gram part i i) + form_change i)); assumption.
Qed.

Lemma stack_holds part F : (part = moving_tokens -> moves_only moving n d F) ->
  sum n (form_square n phi' mass F) <= stack part ^ 2 * sequence_norm2 n d F.
Proof.
  intros HF.
  replace (sum n (form_square n phi' mass F)) with (norm n (fun i => sqrt (form_square n phi' mass F i)) ^ 2).
  - rewrite <- sequence_norm_square, <- Rpow_mult_distr. apply pow_incr. split; [apply norm_nonneg |].
    eapply Rle_trans; [apply (stack_norm_change n (fun i => sqrt (form_square n phi mass F i)) _ form_change
      (sequence_norm n d F)); auto using sequence_norm_nonneg, sqrt_pos, form_square_moves |].
    pose proof (form_squares_at_center part F HF). unfold ball_curvature.stack. lra.
  - rewrite norm_square. apply sum_ext; intros i Hi. apply pow2_sqrt, form_square_pos; assumption.
Qed.

(* ---- The three together ---- *)

Lemma kept_everywhere (Y F : tokens) : kept_form h n attends (fun _ => true) Y F
  = fun i j => weight h n attends Y i j * slope h n attends Y F i j.
Proof. reflexivity. Qed.

Theorem ball_curvature :
  bilinear_bounded moving n d m
    (fun E' F i => mat_vec (rank h) W (second_derivative h n attends (displaced X E) E' F i))
    (curvature_bound moving kind n g tau N).
Proof.
  pose proof Hg as G. destruct G. pose proof HN as G. destruct G.
  intros U E' F HE'.
  replace (sequence_dot n m U (fun i => mat_vec (rank h) W (second_derivative h n attends (displaced X E) E' F i)))
    with (sequence_dot n m U (curvature_terms n d P' (projected_value h W) (score_matrix h) w' phi' E' F))
    by (apply sum_ext; intros i _; apply dot_ext; [reflexivity |]; intros r _; symmetry;
        apply projected_second_derivative_is).
  revert U E' F HE'.
  apply (curvature_terms_bounded moving n d m P' (projected_value h W) (score_matrix h) w' phi' mass);
    auto using weight_nonneg', mass_holds, largest_nonneg, stack_nonneg; try (apply largest_of_nonneg); try lra.
  - intros F. apply (bounded_ext n n (kept_form h n attends moving (displaced X E) F)).
    + intros i j _ _. unfold kept_form. destruct (moving j); ring.
    + apply (mixed_norm_le moving every_token); auto. discriminate.
  - intros E' HE'. rewrite <- kept_everywhere. apply (mixed_norm_le (fun _ => true) moving_tokens); auto.
  - intros i u Hi. eapply Rle_trans; [right |
      apply (product_norm_le moving i (product_keys g i) (keys_norm moving kind n g tau)); auto].
    + apply norm2_ext; intros j _. unfold kept_product. rewrite (dot_symmetric m (fun c => _ * _)), dot_scale_r.
      rewrite dot_symmetric. destruct (moving j); ring.
    + apply (largest_of_le n (fun i => product_keys g i + norm n (product_change kind n g tau moving i))). assumption.
  - intros i u Hi Hm. eapply Rle_trans; [right |
      apply (product_norm_le (fun _ => true) i (product_rows g i) (rows_norm moving kind n g tau)); auto].
    + apply norm2_ext; intros j _. unfold kept_product. rewrite (dot_symmetric m (fun c => _ * _)), dot_scale_r.
      rewrite dot_symmetric. reflexivity.
    + pose proof (largest_of_le n (fun i => if moving i
        then product_rows g i + norm n (product_change kind n g tau (fun _ => true) i) else 0) i Hi) as H.
      cbv beta in H. rewrite Hm in H. exact H.
  - intros i F Hi. apply largest_holds; [assumption | discriminate].
  - intros i E' Hi HE'. apply largest_holds; auto.
  - intros F. apply stack_holds. discriminate.
  - intros E' HE'. apply stack_holds; auto.
Qed.

End Displaced.
End Head.
