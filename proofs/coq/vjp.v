(* The transposed Jacobian times cotangents c_1 ... c_n in R^k, as in spec/attention/vjp.acsl:

     dx_l = V^T sum_i P_il c_i + sum_i t_il g_i + sum_j t_lj h_j,     t_ij = P_ij (c_i . (v_j - y_i)).

   It is the transpose because sum_i c_i . (J xi)_i = sum_l dx_l . xi_l for all xi and c: the same double sum, collected
   once by rows and once by columns. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian pointwise_bound.
Open Scope R_scope.

Section Vjp.
Variables (h : head) (n : nat) (attends : mask) (X : tokens).
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation P := (weight h n attends X).
Local Notation g := (key_gradient h X).
Local Notation hh := (query_gradient h X).

Definition score_cotangent (C : tokens) (i j : nat) : R := P i j * dot k (C i) (value_deviation h n attends X i j).

Definition vjp (C : tokens) : tokens :=
  fun l c => mat_vec k (transpose (value_matrix h)) (fun r => sum n (fun i => P i l * C i r)) c
             + sum n (fun i => score_cotangent C i l * g i c)
             + sum n (fun j => score_cotangent C l j * hh j c).

(* By rows: c_i . (J xi)_i *)
Lemma row_dot C xi i : (i < n)%nat ->
  dot k (C i) (jacobian_times h n attends X xi i)
  = sum n (fun j => P i j * dot d (xi j) (mat_vec k (transpose (value_matrix h)) (C i))
                    + score_cotangent C i j * dot d (xi j) (g i) + score_cotangent C i j * dot d (xi i) (hh j)).
Proof.
  intros Hi.
  rewrite (dot_ext k (C i) (C i) _ (fun r => sum n (fun j => P i j *
    (mat_vec d (value_matrix h) (xi j) r + score_differential h X xi i j * value_deviation h n attends X i j r))));
    auto.
  - rewrite (dot_combination_r n k (P i) (C i) (fun j r =>
      mat_vec d (value_matrix h) (xi j) r + score_differential h X xi i j * value_deviation h n attends X i j r)).
    apply sum_ext; intros j _. rewrite dot_plus_r, dot_scale_r, (adjoint k d).
    unfold score_cotangent, score_differential.
    rewrite (dot_symmetric d (xi j)), (dot_symmetric d (xi j) (g i)), (dot_symmetric d (xi i) (hh j)). ring.
  - intros r _. rewrite jacobian_times_is_jvp by assumption. apply sum_ext; intros j _.
    unfold value_deviation, deviation, attention. ring.
Qed.

Theorem vjp_is_transpose C xi :
  sequence_dot n k C (jacobian_times h n attends X xi) = sequence_dot n d xi (vjp C).
Proof.
  unfold sequence_dot at 1. rewrite (sum_ext n _ _ (fun i Hi => row_dot C xi i Hi)).
  rewrite (sum_ext n _ (fun i =>
    sum n (fun j => P i j * dot d (xi j) (mat_vec k (transpose (value_matrix h)) (C i))
                   + score_cotangent C i j * dot d (xi j) (g i))
    + sum n (fun j => score_cotangent C i j * dot d (xi i) (hh j)))) by (intros; apply sum_plus).
  rewrite sum_plus, sum_swap, <- sum_plus. unfold sequence_dot. apply sum_ext; intros l _.
  unfold vjp. rewrite !dot_plus_r, !dot_combination_r, sum_plus. do 2 f_equal.
  rewrite <- (dot_combination_r n d (fun i => P i l) (xi l) (fun i => mat_vec k (transpose (value_matrix h)) (C i))).
  apply dot_ext; [reflexivity |]. intros c _. symmetry; apply mat_vec_combination.
Qed.

End Vjp.
