(* The product of two quantities, and what is left of it after its part of first order.

   Two vectors x = x0 + e and y = y0 + h have x . y = x0 . y0 + x0 . h + y0 . e + e . h, and |e . h| <= ||e|| ||h||.
   Where parts of e and h are linear in a perturbation eps with ||eps|| <= r, the product of these parts has a middle:
   for all such eps

     ||eps (b . eps) - r^2 b / 2|| <= r^2 ||b|| / 2,

   as the square of the left side is (||eps||^2 - r^2) (b . eps)^2 + (r^2 ||b|| / 2)^2. So the product of a number
   y = b . eps + u with a number or a vector x = A eps + w is, in norm, within

     x_all y_all - x_in y_in / 2      of  r^2 A b / 2,

   where ||A eps|| <= x_in and ||w|| <= x_all - x_in, r ||b|| <= y_in and |u| <= y_all - y_in. This is operation_product
   of src/robust/operation. *)
Require Import Reals Lra Lia Psatz.
From attcert Require Import sum vector matrix.
Open Scope R_scope.

(* ---- The norm itself ---- *)

Definition norm (d : nat) (x : vector) : R := sqrt (norm2 d x).

Lemma norm_nonneg d x : 0 <= norm d x.
Proof. apply sqrt_pos. Qed.

Lemma norm_square d x : norm d x ^ 2 = norm2 d x.
Proof. unfold norm. apply pow2_sqrt. apply norm2_nonneg. Qed.

Lemma norm_ext d x y : (forall c, (c < d)%nat -> x c = y c) -> norm d x = norm d y.
Proof. intros H. unfold norm. rewrite (norm2_ext d x y H). reflexivity. Qed.

Lemma norm_le d x a : 0 <= a -> norm2 d x <= a ^ 2 -> norm d x <= a.
Proof. intros Ha H. apply square_le_le; [rewrite norm_square |]; assumption. Qed.

Lemma norm2_le_square d x a : norm d x <= a -> norm2 d x <= a ^ 2.
Proof. intros H. rewrite <- norm_square. apply pow_incr. split; [apply norm_nonneg | assumption]. Qed.

Lemma norm_plus d x y a b : norm d x <= a -> norm d y <= b -> norm d (fun c => x c + y c) <= a + b.
Proof.
  intros Hx Hy. pose proof (norm_nonneg d x). pose proof (norm_nonneg d y). apply norm_le; [lra |].
  rewrite <- (Rmult_1_r ((a + b) ^ 2)).
  apply norm2_triangle; try lra; rewrite Rmult_1_r; apply norm2_le_square; assumption.
Qed.

Lemma norm_scale d a x : norm d (fun c => a * x c) = Rabs a * norm d x.
Proof.
  unfold norm. rewrite norm2_scale, sqrt_mult_alt by apply pow2_ge_0.
  rewrite <- pow2_abs, sqrt_pow2 by apply Rabs_pos. reflexivity.
Qed.

Lemma norm_sum d n (Y : tokens) t :
  (forall j, (j < n)%nat -> norm d (Y j) <= t j) -> norm d (fun c => sum n (fun j => Y j c)) <= sum n t.
Proof.
  induction n; intros H; simpl.
  - apply norm_le; [lra |]. unfold norm2. rewrite sum_zero; [simpl; lra | intros; ring].
  - apply (norm_plus d (fun c => sum n (fun j => Y j c)) (Y n)); auto.
Qed.

Lemma dot_le_norms d x y : Rabs (dot d x y) <= norm d x * norm d y.
Proof.
  apply square_le_le; [| apply Rmult_le_pos; apply norm_nonneg].
  rewrite pow2_abs, Rpow_mult_distr, !norm_square. apply cauchy_schwarz.
Qed.

(* The norm of what entries alone bound. *)
Lemma norm_of_bounds d x b : (forall c, (c < d)%nat -> Rabs (x c) <= b c) -> norm d x <= norm d b.
Proof.
  intros H. apply sqrt_le_1_alt. apply sum_le; intros c Hc. rewrite <- pow2_abs.
  apply pow_incr. split; [apply Rabs_pos | auto].
Qed.

Lemma abs_le_both x a : Rabs x <= a -> - a <= x <= a.
Proof. unfold Rabs. destruct (Rcase_abs x); lra. Qed.

Lemma abs_sum_le n f g : (forall j, (j < n)%nat -> Rabs (f j) <= g j) -> Rabs (sum n f) <= sum n g.
Proof.
  induction n; intros H; simpl; [rewrite Rabs_R0; lra |].
  eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat; auto.
Qed.

(* Cauchy-Schwarz's other end: sum_k |x_k| b_k. *)
Lemma dot_le_bounds d x u b : (forall k, (k < d)%nat -> Rabs (u k) <= b k) ->
  Rabs (dot d x u) <= sum d (fun k => Rabs (x k) * b k).
Proof.
  intros H. apply abs_sum_le; intros k Hk. rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | auto].
Qed.

(* ---- The remainder of an inner product ---- *)

Theorem inner_product_remainder d x0 y0 e h :
  Rabs (dot d (fun c => x0 c + e c) (fun c => y0 c + h c) - (dot d x0 y0 + (dot d x0 h + dot d y0 e)))
  <= norm d e * norm d h.
Proof.
  replace (dot d (fun c => x0 c + e c) (fun c => y0 c + h c) - (dot d x0 y0 + (dot d x0 h + dot d y0 e)))
    with (dot d e h); [apply dot_le_norms |].
  unfold dot. rewrite <- !sum_plus, <- sum_minus. apply sum_ext; intros; ring.
Qed.

(* ---- The product of two parts linear in eps ---- *)
Section Perturbation.
Variables (p : nat) (r : R) (eps : vector).
Hypothesis Hr : 0 <= r.
Hypothesis Heps : norm2 p eps <= r ^ 2.

Lemma linear_part_le b : Rabs (dot p b eps) <= r * norm p b.
Proof.
  eapply Rle_trans; [apply dot_le_norms |]. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [apply norm_nonneg | apply norm_le; assumption].
Qed.

Theorem second_order_middle b :
  norm p (fun c => dot p b eps * eps c - r ^ 2 / 2 * b c) <= r ^ 2 / 2 * norm p b.
Proof.
  apply norm_le; [apply Rmult_le_pos; [pose proof (pow2_ge_0 r); lra | apply norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square.
  replace (norm2 p (fun c => dot p b eps * eps c - r ^ 2 / 2 * b c))
    with (dot p b eps ^ 2 * (norm2 p eps - r ^ 2) + (r ^ 2 / 2) ^ 2 * norm2 p b).
  - pose proof (pow2_ge_0 (dot p b eps)). nra.
  - rewrite (norm2_ext p (fun c => dot p b eps * eps c - r ^ 2 / 2 * b c)
      (fun c => dot p b eps * eps c + (- (r ^ 2 / 2)) * b c)) by (intros; ring).
    rewrite norm2_plus, (norm2_scale p (dot p b eps) eps), (norm2_scale p (- (r ^ 2 / 2)) b),
      (dot_scale_r p (- (r ^ 2 / 2)) _ b), (dot_symmetric p _ b), (dot_scale_r p (dot p b eps) b eps).
    field.
Qed.

(* ---- The remainder of operation_product ---- *)

(* For a matrix A of k rows with ||A|| <= a, so x_in >= r a: the part of second order. *)
Lemma second_order_of_matrix k A a b :
  0 <= a -> bounded k p A a ->
  norm k (fun c => dot p b eps * mat_vec p A eps c - r ^ 2 / 2 * mat_vec p A b c) <= r * a * (r * norm p b) / 2.
Proof.
  intros Ha HA.
  apply Rle_trans with (a * (r ^ 2 / 2 * norm p b)); [| right; field].
  pose proof (norm_nonneg p b). pose proof (pow2_ge_0 r).
  apply norm_le; [apply Rmult_le_pos; [assumption | apply Rmult_le_pos; lra] |].
  rewrite (norm2_ext k _ (mat_vec p A (fun c => dot p b eps * eps c - r ^ 2 / 2 * b c))).
  - rewrite Rpow_mult_distr. eapply Rle_trans; [apply HA |]. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
    apply norm2_le_square. apply second_order_middle.
  - intros c _. unfold mat_vec. rewrite dot_minus_r, !dot_scale_r. reflexivity.
Qed.

(* Vectors x = A eps + w, numbers y = b . eps + u. *)
Theorem product_remainder k A a b w u x_in x_all y_in y_all :
  0 <= a -> bounded k p A a -> r * a <= x_in -> x_in + norm k w <= x_all ->
  r * norm p b <= y_in -> y_in + Rabs u <= y_all ->
  norm k (fun c => (mat_vec p A eps c + w c) * (dot p b eps + u) - r ^ 2 / 2 * mat_vec p A b c)
  <= x_all * y_all - x_in * y_in / 2.
Proof.
  intros Ha HA Hxin Hxall Hyin Hyall.
  pose proof (norm_nonneg p b) as Hb. pose proof (norm_nonneg k w) as Hw. pose proof (Rabs_pos u) as Hu.
  assert (Hra : 0 <= r * a) by (apply Rmult_le_pos; assumption).
  assert (Hrb : 0 <= r * norm p b) by (apply Rmult_le_pos; assumption).
  set (one := fun c => dot p b eps * mat_vec p A eps c - r ^ 2 / 2 * mat_vec p A b c).
  set (two := fun c => u * mat_vec p A eps c).
  set (three := fun c => (dot p b eps + u) * w c).
  rewrite (norm_ext k _ (fun c => one c + (two c + three c))) by (intros; unfold one, two, three; ring).
  apply Rle_trans with (x_in * y_in / 2 + (Rabs u * x_in + (y_in + Rabs u) * norm k w)).
  - apply norm_plus; [| apply norm_plus].
    + eapply Rle_trans; [apply (second_order_of_matrix k A a b); assumption |].
      assert (r * a * (r * norm p b) <= x_in * y_in) by (apply Rmult_le_compat; assumption). lra.
    + unfold two. rewrite norm_scale. apply Rmult_le_compat_l; [assumption |].
      eapply Rle_trans; [| exact Hxin]. apply norm_le; [assumption |].
      eapply Rle_trans; [apply HA |]. rewrite Rpow_mult_distr, Rmult_comm.
      apply Rmult_le_compat_r; [apply pow2_ge_0 | assumption].
    + unfold three. rewrite norm_scale. apply Rmult_le_compat_r; [assumption |].
      eapply Rle_trans; [apply Rabs_triang |]. pose proof (linear_part_le b). lra.
  - assert (0 <= (x_all - (x_in + norm k w)) * y_all) by (apply Rmult_le_pos; lra).
    assert (0 <= (x_in + norm k w) * (y_all - (y_in + Rabs u))) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Numbers: x = a . eps + w. *)
Theorem product_remainder_scalar a b w u x_in x_all y_in y_all :
  r * norm p a <= x_in -> x_in + Rabs w <= x_all -> r * norm p b <= y_in -> y_in + Rabs u <= y_all ->
  Rabs ((dot p a eps + w) * (dot p b eps + u) - r ^ 2 / 2 * dot p a b) <= x_all * y_all - x_in * y_in / 2.
Proof.
  intros Hxin Hxall Hyin Hyall.
  assert (E : forall x, norm 1 (fun _ => x) = Rabs x).
  { intros x. unfold norm, norm2. cbn [sum]. rewrite Rplus_0_l, <- pow2_abs. apply sqrt_pow2. apply Rabs_pos. }
  rewrite <- (E ((dot p a eps + w) * _ - _)).
  apply (product_remainder 1 (fun _ => a) (norm p a) b (fun _ => w) u); try assumption; [apply norm_nonneg | |].
  - intros x. unfold norm2 at 1, mat_vec. cbn [sum]. rewrite norm_square, Rplus_0_l. apply cauchy_schwarz.
  - rewrite E. assumption.
Qed.

End Perturbation.
