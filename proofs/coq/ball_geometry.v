(* One head at X by the sizes that src/ball/ball_geometry.h lists, each an upper end unless its name says otherwise, and
   what it means that they hold. Where row i does not attend to j the C code leaves all of them 0; of these only the
   weight matters. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean second_derivative norm growth weight_change curvature_terms form_change gram.
From attcert Require Import norm_change region_change.
Open Scope R_scope.

Inductive ball_kind := sequence_kind | token_kind.
Inductive ball_part := every_token | moving_tokens.

Definition ball (kind : ball_kind) : (nat -> bool) -> nat -> nat -> R -> tokens -> Prop :=
  match kind with sequence_kind => sequence_ball | token_kind => token_ball end.

Record geometry := Geometry {
  value_size : R;                     (* ||W V|| *)
  score_size : R;                     (* ||A|| *)
  weight_low : matrix;                (* <= P_ij *)
  weight_high : matrix;               (* P_ij *)
  deviation_size : matrix;            (* |W w_ij| *)
  key_size : matrix;                  (* |h_j - hbar_i| *)
  gradient_size : vector;             (* |g_i| *)
  slope_size : ball_part -> matrix;   (* ||Phi_ij||, over the part *)
  rate : matrix;                      (* |phi_ij(E)| <= rate tau *)
  bend : matrix;                      (* |e_i| |sum_m c_ijm e_m| <= bend tau^2 *)
  product_keys : vector;              (* ||(P_ij W w_ij)_j||, over the moving j *)
  product_rows : vector;              (* the same over all j *)
  mixed_keys : R;                     (* sup over unit F of ||(P_ij phi_ij(F))_ij||, over the moving j *)
  mixed_forms : R;                    (* the same over all j and the F of what moves *)
  cosine : ball_part -> nat -> nat -> nat -> nat -> R  (* of Phi_ij and Phi_lm, squared *)
}.

(* Where a row does not attend its weights are 0. *)
Lemma weight_unattended h n attends X i j : attends i j = false -> weight h n attends X i j = 0.
Proof. intros H. unfold weight, exp_score. rewrite H. unfold Rdiv. ring. Qed.

Section Geometry.
Variables (moving : nat -> bool) (kind : ball_kind) (h : head) (n : nat) (attends : mask) (m : nat) (W : matrix).
Variables (X : tokens) (g : geometry).
Local Notation d := (width h).
Local Notation P := (weight h n attends X).

(* W w_ij at Y *)
Definition projected_deviation (Y : tokens) (i j : nat) : vector :=
  mat_vec (rank h) W (value_deviation h n attends Y i j).

(* Phi_ij, over the part *)
Definition part_form (part : ball_part) (i j : nat) : tokens :=
  match part with
  | every_token => slope_vector h n attends X i j
  | moving_tokens => part_of moving (slope_vector h n attends X i j)
  end.

Definition rate_of_kind : matrix :=
  match kind with
  | sequence_kind => sequence_rate moving h n attends X
  | token_kind => token_rate moving h n attends X
  end.
Definition bend_of_kind : matrix :=
  match kind with
  | sequence_kind => sequence_bend moving h n attends X
  | token_kind => token_bend moving h n attends X
  end.

(* P_ij W w_ij, where it counts *)
Definition kept_product (keep : nat -> bool) (Y : tokens) (i : nat) : tokens :=
  fun j c => (if keep j then weight h n attends Y i j else 0) * projected_deviation Y i j c.

(* P_ij phi_ij(F), where it counts *)
Definition kept_form (keep : nat -> bool) (Y F : tokens) : matrix :=
  fun i j => (if keep j then weight h n attends Y i j else 0) * slope h n attends Y F i j.

Record geometry_holds : Prop := {
  value_nonneg : 0 <= value_size g;
  score_nonneg : 0 <= score_size g;
  weight_high_nonneg : forall i j, 0 <= weight_high g i j;
  deviation_nonneg : forall i j, 0 <= deviation_size g i j;
  key_nonneg : forall i j, 0 <= key_size g i j;
  gradient_nonneg : forall i, 0 <= gradient_size g i;
  slope_nonneg : forall part i j, 0 <= slope_size g part i j;
  rate_nonneg : forall i j, 0 <= rate g i j;
  bend_nonneg : forall i j, 0 <= bend g i j;
  product_keys_nonneg : forall i, 0 <= product_keys g i;
  product_rows_nonneg : forall i, 0 <= product_rows g i;
  mixed_keys_nonneg : 0 <= mixed_keys g;
  mixed_forms_nonneg : 0 <= mixed_forms g;
  cosine_nonneg : forall part i j l r, 0 <= cosine g part i j l r;

  value_holds : bounded m d (projected_value h W) (value_size g);
  score_holds : bounded d d (score_matrix h) (score_size g);
  weight_holds : forall i j, (i < n)%nat -> (j < n)%nat -> weight_low g i j <= P i j <= weight_high g i j;
  weight_masked : forall i j, (i < n)%nat -> (j < n)%nat -> attends i j = false -> weight_high g i j = 0;
  gradient_holds : forall i, (i < n)%nat -> norm d (key_gradient h X i) <= gradient_size g i;
  deviation_holds : forall i j, (i < n)%nat -> (j < n)%nat -> attends i j = true ->
    norm m (projected_deviation X i j) <= deviation_size g i j;
  key_holds : forall i j, (i < n)%nat -> (j < n)%nat -> attends i j = true ->
    norm d (deviation n (P i) (query_gradient h X) j) <= key_size g i j;
  slope_holds : forall part i j, (i < n)%nat -> (j < n)%nat -> attends i j = true ->
    sequence_norm n d (part_form part i j) <= slope_size g part i j;
  rate_holds : forall i j, (i < n)%nat -> (j < n)%nat -> attends i j = true -> rate_of_kind i j <= rate g i j;
  bend_holds : forall i j, (i < n)%nat -> (j < n)%nat -> attends i j = true -> bend_of_kind i j <= bend g i j;
  product_keys_holds : forall i u, (i < n)%nat ->
    norm2 n (fun j => dot m (kept_product moving X i j) u) <= product_keys g i ^ 2 * norm2 m u;
  product_rows_holds : forall i u, (i < n)%nat -> moving i = true ->
    norm2 n (fun j => dot m (kept_product (fun _ => true) X i j) u) <= product_rows g i ^ 2 * norm2 m u;
  mixed_keys_holds : forall F, bounded n n (kept_form moving X F) (mixed_keys g * sequence_norm n d F);
  mixed_forms_holds : forall E, moves_only moving n d E ->
    bounded n n (kept_form (fun _ => true) X E) (mixed_forms g * sequence_norm n d E);
  cosine_holds : forall part i j l r, (i < n)%nat -> (j < n)%nat -> (l < n)%nat -> (r < n)%nat ->
    attends i j = true -> attends l r = true ->
    sequence_dot n d (part_form part i j) (part_form part l r) ^ 2
    <= slope_size g part i j ^ 2 * slope_size g part l r ^ 2 * cosine g part i j l r
}.

(* ---- How ball_filling.c finds the sizes of whole rows ---- *)

(* The Gram matrix of the moving j, of (P_ij W w_ij)_j: ||sum_j b_j z_j||^2 <= nu^2 |b|^2. *)
Theorem product_by_gram keep i nu :
  (forall b, norm2 m (combination n b (kept_product keep X i)) <= nu ^ 2 * norm2 n b) ->
  forall u, norm2 n (fun j => dot m (kept_product keep X i j) u) <= nu ^ 2 * norm2 m u.
Proof.
  intros H. apply (bounded_transpose m n (fun c j => kept_product keep X i j c)). intros b.
  eapply Rle_trans; [right | apply (H b)]. apply norm2_ext; intros c _. apply sum_ext; intros; ring.
Qed.

Lemma slope_by_part part F i j : (i < n)%nat -> (j < n)%nat -> (part = moving_tokens -> moves_only moving n d F) ->
  slope h n attends X F i j = sequence_dot n d (part_form part i j) F.
Proof.
  intros Hi Hj HF. rewrite slope_is_form by assumption. destruct part; [reflexivity |].
  apply form_of_moving. auto.
Qed.

(* P_ij Phi_ij over the part, where it counts *)
Definition kept_slope (part : ball_part) (keep : nat -> bool) : forms :=
  fun i j r c => (if keep j then P i j else 0) * part_form part i j r c.

Lemma kept_form_is part keep F i j : (i < n)%nat -> (j < n)%nat ->
  (part = moving_tokens -> moves_only moving n d F) ->
  kept_form keep X F i j = sequence_dot n d (kept_slope part keep i j) F.
Proof.
  intros Hi Hj HF. unfold kept_form. rewrite (slope_by_part part) by assumption. unfold sequence_dot.
  rewrite <- sum_scale. apply sum_ext; intros r _. unfold kept_slope.
  rewrite (dot_symmetric d (fun c => _ * _)), dot_scale_r, dot_symmetric. reflexivity.
Qed.

Lemma bounded_ext k e M M' a : (forall i j, (i < k)%nat -> (j < e)%nat -> M i j = M' i j) ->
  bounded k e M a -> bounded k e M' a.
Proof.
  intros HM H x. eapply Rle_trans; [right | apply (H x)]. apply norm2_ext; intros i Hi.
  apply dot_ext; [intros; symmetry; auto | reflexivity].
Qed.

(* Either Gram matrix will do, with F all tokens' or what moves. *)
Theorem mixed_by_gram part keep mu F : (part = moving_tokens -> moves_only moving n d F) ->
  (forall b, sum n (fun i => sequence_norm2 n d (combined n b (kept_slope part keep i))) <= mu ^ 2 * norm2 n b) \/
  (forall a, sum n (fun j => sequence_norm2 n d (combined n a (fun i => kept_slope part keep i j)))
     <= mu ^ 2 * norm2 n a) ->
  bounded n n (kept_form keep X F) (mu * sequence_norm n d F).
Proof.
  intros HF H. apply (bounded_ext n n (fun i j => sequence_dot n d (kept_slope part keep i j) F)).
  - intros i j Hi Hj. symmetry. apply kept_form_is; assumption.
  - destruct H as [H | H]; [apply gram_over_columns | apply gram_over_rows]; assumption.
Qed.

(* ---- Every head at every X has such sizes: the hypotheses can always be met ---- *)

Definition form_sizes (part : ball_part) (keep : nat -> bool) : matrix :=
  fun i j => (if keep j then Rabs (P i j) else 0) * sequence_norm n d (part_form part i j).
Definition frobenius (k e : nat) (M : matrix) : R := sqrt (sum k (fun r => norm2 e (M r))).

Lemma mixed_by_entries part keep F : (part = moving_tokens -> moves_only moving n d F) ->
  bounded n n (kept_form keep X F) (frobenius n n (form_sizes part keep) * sequence_norm n d F).
Proof.
  intros HF. rewrite <- (Rplus_0_l (frobenius n n (form_sizes part keep) * sequence_norm n d F)).
  apply (mixed_norm_change n (fun _ _ => 0) _ (form_sizes part keep)); try lra;
    try apply sqrt_pos; try apply frobenius_bound.
  - intros x. right. replace (0 ^ 2 * norm2 n x) with 0 by ring.
    apply sum_zero; intros i _. unfold mat_vec, dot. rewrite sum_zero; [ring | intros; ring].
  - intros i j Hi Hj. rewrite Rminus_0_r. unfold kept_form, form_sizes. rewrite Rabs_mult, Rmult_assoc.
    replace (Rabs (if keep j then P i j else 0)) with (if keep j then Rabs (P i j) else 0)
      by (destruct (keep j); [| rewrite Rabs_R0]; reflexivity).
    apply Rmult_le_compat_l; [destruct (keep j); [apply Rabs_pos | lra] |].
    rewrite (slope_by_part part) by assumption. apply sequence_dot_le_norms.
Qed.

Definition exact_geometry : geometry := {|
  value_size := frobenius m d (projected_value h W);
  score_size := frobenius d d (score_matrix h);
  weight_low := P;
  weight_high := fun i j => Rabs (P i j);
  deviation_size := fun i j => norm m (projected_deviation X i j);
  key_size := fun i j => norm d (deviation n (P i) (query_gradient h X) j);
  gradient_size := fun i => norm d (key_gradient h X i);
  slope_size := fun part i j => sequence_norm n d (part_form part i j);
  rate := rate_of_kind;
  bend := bend_of_kind;
  product_keys := fun i => frobenius n m (kept_product moving X i);
  product_rows := fun i => frobenius n m (kept_product (fun _ => true) X i);
  mixed_keys := frobenius n n (form_sizes every_token moving);
  mixed_forms := frobenius n n (form_sizes moving_tokens (fun _ => true));
  cosine := fun _ _ _ _ _ => 1
|}.

End Geometry.

Theorem exact_geometry_holds moving kind h n attends m W X :
  geometry_holds moving kind h n attends m W X (exact_geometry moving kind h n attends m W X).
Proof.
  constructor; simpl; intros; try apply sqrt_pos; try apply Rabs_pos; try lra; try apply frobenius_bound.
  - unfold rate_of_kind. destruct kind; [apply sqrt_pos |]. apply sum_nonneg; intros r _. unfold kept.
    destruct (moving r); [| lra]. apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [apply Rabs_pos | apply norm_nonneg].
    + destruct (Nat.eqb i r); [apply norm_nonneg | lra].
  - unfold bend_of_kind, sequence_bend, token_bend. destruct kind; destruct (moving i); try lra.
    + pose proof (Rabs_pos (centring h n attends X i j i)).
      pose proof (norm_nonneg n (kept moving (centring h n attends X i j))). lra.
    + apply sum_nonneg; intros; apply Rabs_pos.
  - split; [lra | apply Rle_abs].
  - rewrite weight_unattended by assumption. apply Rabs_R0.
  - apply mixed_by_entries. discriminate.
  - apply mixed_by_entries. auto.
  - pose proof (sequence_cauchy_schwarz n (width h) (part_form moving h n attends X part i j)
      (part_form moving h n attends X part l r)) as C. rewrite <- !sequence_norm_square in C. lra.
Qed.
