(* The second derivative of attention.

   With w_ij = v_j - y_i and the centred derivatives of the scores along F,

     phi_ij(F) = s_ij'(F) - sum_m P_im s_im'(F) = sum_m c_ijm (g_i . f_m) + (h_j - hbar_i) . f_i,

   c_ij = delta_j - P_i and hbar_i = sum_m P_im h_m, the first derivative along F is
   sum_j P_ij (V f_j + w_ij phi_ij(F)), and its derivative along E

     D^2 y_i[E, F] = sum_j P_ij ( V e_j phi_ij(F) + V f_j phi_ij(E)                  (a)
                                + w_ij (e_j . A f_i + f_j . A e_i)                   (b)
                                + w_ij phi_ij(E) phi_ij(F) ).                        (c)

   Proof. D y_i[F] = m(z), z_j = V f_j + w_ij s_ij'(F), is a softmax mean; its derivative is m(z') + m((z - m(z)) s'(E))
   with z_j' = (V e_j - D y_i[E]) s_ij'(F) + w_ij s_ij'' and s_ij'' = e_j . A f_i + f_j . A e_i. Everything else is
   linearity of m and m(w) = 0. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average derivative attention jacobian lipschitz pointwise_bound ball.
From attcert Require Import softmax_mean.
Open Scope R_scope.

(* The algebra: p the weights, a = V e, b = V f along one coordinate, e = s'(E), f = s'(F), q = s''. *)
Lemma second_derivative_algebra n p a b w e f q :
  mean n p w = 0 ->
  let D := mean n p (fun j => a j + w j * e j) in
  let z := fun j => b j + w j * f j in
  mean n p (fun j => (a j - D) * f j + w j * q j) + mean n p (fun j => (z j - mean n p z) * e j)
  = mean n p (fun j => a j * (f j - mean n p f) + b j * (e j - mean n p e) + w j * q j
                       + w j * ((e j - mean n p e) * (f j - mean n p f))).
Proof.
  intros Hw D z. set (me := mean n p e). set (mf := mean n p f). set (mz := mean n p z).
  assert (ED : D = mean n p a + mean n p (fun j => w j * e j)) by (unfold D; apply mean_plus).
  assert (EZ : mz = mean n p b + mean n p (fun j => w j * f j)) by (unfold mz, z; apply mean_plus).
  rewrite (mean_ext n p (fun j => (a j - D) * f j + w j * q j) (fun j => a j * f j - D * f j + w j * q j))
    by (intros; ring).
  rewrite (mean_ext n p (fun j => (z j - mz) * e j) (fun j => b j * e j + w j * (e j * f j) - mz * e j))
    by (intros; unfold z; ring).
  rewrite (mean_ext n p
    (fun j => a j * (f j - mf) + b j * (e j - me) + w j * q j + w j * ((e j - me) * (f j - mf)))
    (fun j => a j * f j - mf * a j + (b j * e j - me * b j) + w j * q j
      + (w j * (e j * f j) - mf * (w j * e j) - me * (w j * f j) + me * mf * w j))) by (intros; ring).
  repeat (rewrite mean_plus || rewrite mean_minus || rewrite mean_scale). rewrite ED, EZ.
  change (mean n p (fun j => w j)) with (mean n p w). rewrite Hw. fold me mf.
  ring.
Qed.

Section SecondDerivative.
Variables (h : head) (n : nat) (attends : mask).
Hypothesis Hmask : no_empty_row n attends.
Local Notation d := (width h).
Local Notation k := (rank h).
Local Notation A := (score_matrix h).
Local Notation V := (value_matrix h).
Local Notation w X := (value_deviation h n attends X).

(* phi_ij(F) *)
Definition slope (X F : tokens) (i j : nat) : R :=
  score_differential h X F i j - mean_score_differential h n attends X F i.

(* e_j . A f_i + f_j . A e_i *)
Definition score_second (E F : tokens) (i j : nat) : R :=
  dot d (E j) (mat_vec d A (F i)) + dot d (F j) (mat_vec d A (E i)).

Definition second_derivative (X E F : tokens) : tokens :=
  fun i r => sum n (fun j => weight h n attends X i j *
    (mat_vec d V (E j) r * slope X F i j + mat_vec d V (F j) r * slope X E i j
     + w X i j r * score_second E F i j + w X i j r * (slope X E i j * slope X F i j))).

(* ---- The forms phi_ij ---- *)

Lemma slope_centred X F i : (i < n)%nat -> sum n (fun j => weight h n attends X i j * slope X F i j) = 0.
Proof.
  intros Hi. destruct (weight_probability h n attends Hmask X i Hi) as [_ H1]. unfold slope.
  rewrite (sum_ext n _ (fun j => weight h n attends X i j * score_differential h X F i j
    - weight h n attends X i j * mean_score_differential h n attends X F i)) by (intros; ring).
  rewrite sum_minus, sum_scale_r, H1. unfold mean_score_differential. ring.
Qed.

(* c_ijm = delta_jm - P_im *)
Definition centring (X : tokens) (i j m : nat) : R := (if Nat.eqb j m then 1 else 0) - weight h n attends X i m.

Lemma slope_by_gradients X F i j : (j < n)%nat ->
  slope X F i j = sum n (fun m => centring X i j m * dot d (key_gradient h X i) (F m))
                  + dot d (deviation n (weight h n attends X i) (query_gradient h X) j) (F i).
Proof.
  intros Hj. unfold slope, mean_score_differential, score_differential, centring, deviation, average.
  rewrite (sum_ext n (fun m => ((if Nat.eqb j m then 1 else 0) - _) * _)
    (fun m => (if Nat.eqb j m then dot d (key_gradient h X i) (F m) else 0)
      - weight h n attends X i m * dot d (key_gradient h X i) (F m)))
    by (intros m _; destruct (Nat.eqb j m); ring).
  rewrite sum_minus, (sum_only n j (fun m => dot d (key_gradient h X i) (F m))) by assumption.
  rewrite (dot_symmetric d (fun c => _ - _) (F i)), dot_minus_r, dot_combination_r.
  rewrite (sum_ext n (fun m => weight h n attends X i m * (_ + _))
    (fun m => weight h n attends X i m * dot d (key_gradient h X i) (F m)
      + weight h n attends X i m * dot d (F i) (query_gradient h X m)))
    by (intros m _; rewrite (dot_symmetric d (F i)); ring).
  rewrite sum_plus, (dot_symmetric d (query_gradient h X j)). ring.
Qed.

(* ---- The first derivative by the forms ---- *)

Lemma deviation_mean X i r : (i < n)%nat -> sum n (fun j => weight h n attends X i j * w X i j r) = 0.
Proof. intros Hi. apply deviation_centred. apply weight_probability; assumption. Qed.

Theorem jacobian_times_by_slopes X F i r : (i < n)%nat ->
  jacobian_times h n attends X F i r
  = sum n (fun j => weight h n attends X i j * (mat_vec d V (F j) r + w X i j r * slope X F i j)).
Proof.
  intros Hi. rewrite jacobian_times_is_jvp by assumption. unfold jvp, slope.
  set (s := mean_score_differential h n attends X F i).
  rewrite (sum_ext n (fun j => _ * (_ + _ * (_ - s))) (fun j =>
    weight h n attends X i j * (mat_vec d V (F j) r + w X i j r * score_differential h X F i j)
    - s * (weight h n attends X i j * w X i j r))) by (intros; ring).
  rewrite sum_minus, sum_scale, deviation_mean by assumption. rewrite Rmult_0_r, Rminus_0_r. reflexivity.
Qed.

(* ---- The second derivative of a score ---- *)

Lemma query_gradient_split X j c :
  query_gradient h X j c
  = mat_vec d (transpose A) (X j) c + mat_vec k (transpose (query_matrix h)) (key_bias h) c / root h.
Proof.
  rewrite score_matrix_transposed_times. unfold query_gradient, key. rewrite mat_vec_plus. unfold Rdiv; ring.
Qed.

Lemma derivative_affine_dot M b X E j f t :
  derivable_pt_lim (fun u => dot d (fun c => mat_vec d M (along X E u j) c + b c) f) t (dot d (mat_vec d M (E j)) f).
Proof.
  unfold dot. apply (derivative_sum d (fun c u => (mat_vec d M (along X E u j) c + b c) * f c)). intros c _.
  eapply derivative_value.
  - apply (derivable_pt_lim_mult (fun u => mat_vec d M (along X E u j) c + b c) (fun _ => f c));
      [apply derivative_affine | apply derivable_pt_lim_const].
  - cbv beta. ring.
Qed.

Lemma derivative_score_differential X E F i j :
  derivable_pt_lim (fun u => score_differential h (along X E u) F i j) 0 (score_second E F i j).
Proof.
  apply (derivative_ext (fun u =>
    dot d (fun c => mat_vec d A (along X E u i) c + bias_gradient h c) (F j)
    + dot d (fun c => mat_vec d (transpose A) (along X E u j) c
                      + mat_vec k (transpose (query_matrix h)) (key_bias h) c / root h) (F i))).
  - intros u. unfold score_differential. f_equal; apply dot_ext; intros; try reflexivity; symmetry;
      [apply key_gradient_split | apply query_gradient_split].
  - eapply derivative_value.
    + apply (derivable_pt_lim_plus
        (fun u => dot d (fun c => mat_vec d A (along X E u i) c + bias_gradient h c) (F j))
        (fun u => dot d (fun c => mat_vec d (transpose A) (along X E u j) c
                      + mat_vec k (transpose (query_matrix h)) (key_bias h) c / root h) (F i)));
        apply derivative_affine_dot.
    + unfold score_second. rewrite (adjoint d d A (E j)), (dot_symmetric d (F j)). apply Rplus_comm.
Qed.

(* ---- The second derivative ---- *)

Theorem second_derivative_is_derivative X E F i r : (i < n)%nat ->
  derivable_pt_lim (fun u => jacobian_times h n attends (along X E u) F i r) 0 (second_derivative X E F i r).
Proof.
  intros Hi. set (P := weight h n attends X i).
  set (s := score_differential h X). set (D := jacobian_times h n attends X E i r).
  apply (derivative_ext (fun u => mean n (weight h n attends (along X E u) i)
    (fun j => mat_vec d V (F j) r + w (along X E u) i j r * score_differential h (along X E u) F i j))).
  { intros u. symmetry. rewrite jacobian_times_is_jvp by assumption. reflexivity. }
  eapply derivative_value.
  - apply (softmax_mean_derivative n (fun u => weight h n attends (along X E u) i)
      (fun u j => mat_vec d V (F j) r + w (along X E u) i j r * score_differential h (along X E u) F i j)
      (s E i) (fun j => (mat_vec d V (E j) r - D) * s F i j + w X i j r * score_second E F i j)).
    + intros j Hj. rewrite along_at_0. apply derivative_weight; assumption.
    + intros j Hj. eapply derivative_value.
      * apply (derivable_pt_lim_plus (fun _ => mat_vec d V (F j) r)
          (fun u => w (along X E u) i j r * score_differential h (along X E u) F i j));
          [apply derivable_pt_lim_const |].
        apply (derivable_pt_lim_mult (fun u => w (along X E u) i j r)
          (fun u => score_differential h (along X E u) F i j)); [| apply derivative_score_differential].
        apply (derivable_pt_lim_minus (fun u => value h (along X E u) j r)
          (fun u => attention h n attends (along X E u) i r));
          [apply derivative_affine | apply attention_derivative; assumption].
      * cbv beta. rewrite along_at_0. unfold D, s. ring.
  - cbv beta. rewrite along_at_0. fold P. unfold D.
    rewrite jacobian_times_is_jvp by assumption.
    apply (second_derivative_algebra n P (fun j => mat_vec d V (E j) r) (fun j => mat_vec d V (F j) r)
      (fun j => w X i j r) (s E i) (s F i) (score_second E F i)).
    apply deviation_mean; assumption.
Qed.

(* At every point of the line. *)
Corollary second_derivative_along X E F i r t : (i < n)%nat ->
  derivable_pt_lim (fun u => jacobian_times h n attends (along X E u) F i r) t
    (second_derivative (along X E t) E F i r).
Proof.
  intros Hi. apply (derivative_along (fun Y => jacobian_times h n attends Y F i r)
    (fun Y => second_derivative Y E F i r)).
  intros Y. apply second_derivative_is_derivative; assumption.
Qed.

End SecondDerivative.
