(* Softmax attention of one head, and the formula of its Jacobian. Definitions only, as in spec/attention.acsl,
   spec/jacobian.acsl, spec/covariance.acsl and spec/jvp.acsl.

   n tokens x_1 ... x_n in R^d are mapped to n vectors y_1 ... y_n in R^k:

     q_i = Q x_i + b_Q,  k_j = K x_j + b_K,  v_j = V x_j + b_V
     s_ij = q_i . k_j / root              root = sqrt(k) in a transformer; any number here
     P_ij = exp(s_ij) / sum_{t in N(i)} exp(s_it)   for j in N(i), else 0
     y_i = sum_j P_ij v_j

   N(i) is the set of positions that row i attends to: all of them, or those up to i under the causal mask. A mask here is
   any function that answers "does row i attend to position j?". *)
Require Import Reals Lra Lia Bool.
From attcert Require Import sum vector matrix average.
Open Scope R_scope.

Record head := Head {
  width : nat;            (* d, the dimension of a token *)
  rank : nat;             (* k, the dimension of queries, keys and values *)
  query_matrix : matrix;  (* Q, k x d *)
  key_matrix : matrix;    (* K, k x d *)
  value_matrix : matrix;  (* V, k x d *)
  query_bias : vector;    (* b_Q in R^k *)
  key_bias : vector;
  value_bias : vector;
  root : R                (* what scores are divided by *)
}.

Definition mask := nat -> nat -> bool.
Definition unmasked : mask := fun _ _ => true.
Definition causal : mask := fun i j => Nat.leb j i.

(* Every row attends to some position: without this P_i would be 0/0. *)
Definition no_empty_row (n : nat) (attends : mask) : Prop :=
  forall i, (i < n)%nat -> exists j, (j < n)%nat /\ attends i j = true.

Lemma unmasked_no_empty_row n : no_empty_row n unmasked.
Proof. intros i Hi. exists i. auto. Qed.

Lemma causal_no_empty_row n : no_empty_row n causal.
Proof. intros i Hi. exists i. split; [assumption | apply Nat.leb_refl]. Qed.

Section Attention.
Variables (h : head) (n : nat) (attends : mask).
Local Notation d := (width h).
Local Notation k := (rank h).

Definition query (X : tokens) : tokens := fun i r => mat_vec d (query_matrix h) (X i) r + query_bias h r.
Definition key (X : tokens) : tokens := fun j r => mat_vec d (key_matrix h) (X j) r + key_bias h r.
Definition value (X : tokens) : tokens := fun j r => mat_vec d (value_matrix h) (X j) r + value_bias h r.

Definition score (X : tokens) (i j : nat) : R := dot k (query X i) (key X j) / root h.
Definition exp_score (X : tokens) (i j : nat) : R := if attends i j then exp (score X i j) else 0.
Definition weight (X : tokens) (i j : nat) : R := exp_score X i j / sum n (exp_score X i).
Definition attention (X : tokens) : tokens := fun i => average n (weight X i) (value X).

(* ---- The Jacobian's formula ----

     J_il = P_il (V + (v_l - y_i) g_i^T) + delta_il C_i,     C_i = sum_j P_ij (v_j - y_i) h_j^T,
     g_i = K^T q_i / root,  h_j = Q^T k_j / root:            the gradients of s_ij in x_j and in x_i. *)
Definition key_gradient (X : tokens) : tokens :=
  fun i c => mat_vec k (transpose (key_matrix h)) (query X i) c / root h.
Definition query_gradient (X : tokens) : tokens :=
  fun j c => mat_vec k (transpose (query_matrix h)) (key X j) c / root h.

Definition covariance (X : tokens) (i : nat) : matrix :=
  fun r c => sum n (fun j => weight X i j * (value X j r - attention X i r) * query_gradient X j c).

Definition jacobian (X : tokens) (i l : nat) : matrix :=
  fun r c => weight X i l * (value_matrix h r c + (value X l r - attention X i r) * key_gradient X i c)
             + (if Nat.eqb i l then covariance X i r c else 0).

(* J xi: row i is sum_l J_il xi_l. *)
Definition jacobian_times (X xi : tokens) : tokens :=
  fun i r => sum n (fun l => mat_vec d (jacobian X i l) (xi l) r).

(* ---- Rows of P are probabilities ---- *)
Hypothesis Hmask : no_empty_row n attends.

Lemma exp_score_nonneg X i j : 0 <= exp_score X i j.
Proof. unfold exp_score. destruct (attends i j); [left; apply exp_pos | lra]. Qed.

Lemma normalizer_positive X i : (i < n)%nat -> 0 < sum n (exp_score X i).
Proof.
  intros Hi. destruct (Hmask i Hi) as (j & Hj & Hs). apply (sum_positive n _ j); auto using exp_score_nonneg.
  unfold exp_score. rewrite Hs. apply exp_pos.
Qed.

Lemma weight_probability X i : (i < n)%nat -> probability n (weight X i).
Proof.
  intros Hi. pose proof (normalizer_positive X i Hi). split.
  - intros j _. apply Rmult_le_pos; [apply exp_score_nonneg | left; apply Rinv_0_lt_compat; assumption].
  - unfold weight. rewrite sum_divide. field. lra.
Qed.

Lemma weight_nonneg X i j : (i < n)%nat -> (j < n)%nat -> 0 <= weight X i j.
Proof. intros Hi Hj. destruct (weight_probability X i Hi) as [H _]. auto. Qed.

End Attention.
