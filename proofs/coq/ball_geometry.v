(* One head at X by the sizes that src/ball/ball_geometry.h lists, each an upper end unless its name says otherwise, and
   what it means that they hold. Where row i does not attend to j the C code leaves all of them 0; of these only the
   weight matters. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean second_derivative norm growth weight_change curvature_terms form_change gram.
From attcert Require Import region_change.
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

End Geometry.

Print Assumptions product_by_gram.
Print Assumptions mixed_by_gram.
