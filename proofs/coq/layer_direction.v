(* What the program sums along a direction u is J u, J the formula of the Jacobian, in the terms of
   spec/real/real_layer_direction.acsl and real_layer_jacobian.acsl: token i, entry o, of a layer with `count` heads of k
   columns. The axiom `jacobian_direction` of spec/theorems/layer_direction.acsl is this theorem.

   Both are the same sums in another order, and linear in the weights of attention and in what these average: nothing is
   asked of P_ij and y_i, so they are any numbers here. That J is the derivative of the layer, when they are those of
   attention, is layer_jacobian.v. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector.
Open Scope R_scope.

Section Layer.
(* i attends to the tokens below `attended`. *)
Variables (n d count k out attended i : nat) (weighted : bool) (root : R).
Variables (p : nat -> nat -> R)                  (* P_ij of head h *)
          (q : nat -> nat -> R)                  (* q_i *)
          (keys values : nat -> nat -> nat -> R) (* k_j and v_j *)
          (y : nat -> nat -> R)                  (* y_i *)
          (wq wk wv : nat -> nat -> nat -> R)    (* Q, K, V: row r, column c of head h *)
          (wo : nat -> nat -> R)                 (* W_O *)
          (u : nat -> nat -> R).                 (* the direction, token by token *)
Hypothesis Hattended : (i < attended <= n)%nat.

(* The Jacobian. *)
Definition height : nat := if weighted then out else k.
Definition first (h : nat) : nat := if weighted then 0%nat else (h * k)%nat.
Definition through (h : nat) (z : vector) : vector :=
  fun o => if weighted then dot k z (fun r => wo o (h * k + r)%nat) else z o.
Definition gradient (z : vector) (w : nat -> nat -> R) : vector := fun c => dot k z (fun r => w r c) / root.
Definition block (h l o c : nat) : R :=
  p h l * (through h (fun r => wv h r c) o +
           (through h (values h l) o - through h (y h) o) * gradient (q h) (wk h) c) +
  (if Nat.eqb l i
   then sum attended (fun j => p h j * (through h (values h j) o - through h (y h) o) * gradient (keys h j) (wq h) c)
   else 0).
Definition share (o l c h : nat) : R :=
  if (Nat.ltb l attended && (Nat.leb (first h) o && Nat.ltb o (first h + height)))%bool
  then block h l (o - first h) c else 0.
Definition jacobian_entry (o l c : nat) : R := sum count (share o l c).

(* The derivative along u. *)
Definition projected (w : nat -> nat -> R) (j : nat) : vector := fun r => dot d (u j) (w r).
Definition score_differential (h j : nat) : R :=
  (dot k (q h) (projected (wk h) j) + dot k (projected (wq h) i) (keys h j)) / root.
Definition direction (h : nat) : vector := fun r =>
  sum attended (fun j => p h j * (projected (wv h) j r + (values h j r - y h r) * score_differential h j)).

(* ---- One head ---- *)

Lemma through_linear h (f : nat -> R) (z : nat -> vector) m o :
  through h (fun r => sum m (fun j => f j * z j r)) o = sum m (fun j => f j * through h (z j) o).
Proof.
  unfold through. destruct weighted; [| reflexivity].
  rewrite dot_symmetric, dot_combination_r. apply sum_ext; intros j _. rewrite dot_symmetric. reflexivity.
Qed.

Lemma through_plus h x z o : through h (fun r => x r + z r) o = through h x o + through h z o.
Proof.
  unfold through. destruct weighted; [| reflexivity].
  rewrite dot_symmetric, dot_plus_r, (dot_symmetric _ x), (dot_symmetric _ z). reflexivity.
Qed.

Lemma through_minus h x z o : through h (fun r => x r - z r) o = through h x o - through h z o.
Proof.
  unfold through. destruct weighted; [| reflexivity].
  rewrite dot_symmetric, dot_minus_r, (dot_symmetric _ x), (dot_symmetric _ z). reflexivity.
Qed.

Lemma through_scale h a z o : through h (fun r => a * z r) o = a * through h z o.
Proof.
  unfold through. destruct weighted; [| reflexivity]. rewrite dot_symmetric, dot_scale_r, dot_symmetric. reflexivity.
Qed.

Lemma through_ext h x z o : (forall r, x r = z r) -> through h x o = through h z o.
Proof. intros E. unfold through. destruct weighted; [apply dot_ext; auto | apply E]. Qed.

(* W_h V u_j, column by column. *)
Lemma through_projected h j o :
  through h (projected (wv h) j) o = sum d (fun c => through h (fun r => wv h r c) o * u j c).
Proof.
  rewrite (sum_ext d _ (fun c => u j c * through h (fun r => wv h r c) o)) by (intros; ring).
  rewrite <- (through_linear h (u j) (fun c r => wv h r c)). reflexivity.
Qed.

(* (W^T z / root) . u_j = z . W u_j / root *)
Lemma gradient_times z w j : sum d (fun c => gradient z w c * u j c) = dot k z (projected w j) / root.
Proof.
  unfold projected, gradient.
  change (fun r => dot d (u j) (w r)) with (fun r => sum d (fun c => u j c * (fun c r => w r c) c r)).
  rewrite dot_combination_r. unfold Rdiv. rewrite <- sum_scale_r. apply sum_ext; intros. ring.
Qed.

Lemma block_times h l o : (l < attended)%nat ->
  sum d (fun c => block h l o c * u l c) =
  p h l * (through h (projected (wv h) l) o + (through h (values h l) o - through h (y h) o) *
           (dot k (q h) (projected (wk h) l) / root)) +
  (if Nat.eqb l i
   then sum attended (fun j => p h j * (through h (values h j) o - through h (y h) o) *
                               (dot k (keys h j) (projected (wq h) i) / root))
   else 0).
Proof.
  intros Hl. unfold block.
  rewrite (sum_ext d _ (fun c =>
    p h l * (through h (fun r => wv h r c) o * u l c +
             (through h (values h l) o - through h (y h) o) * (gradient (q h) (wk h) c * u l c)) +
    (if Nat.eqb l i
     then sum attended (fun j => p h j * (through h (values h j) o - through h (y h) o) *
                                 (gradient (keys h j) (wq h) c * u l c))
     else 0))).
  - rewrite sum_plus, sum_scale, sum_plus, <- through_projected, sum_scale, gradient_times. f_equal.
    destruct (Nat.eqb_spec l i) as [-> | _]; [| apply sum_zero; auto].
    rewrite sum_swap. apply sum_ext; intros j _. rewrite sum_scale, gradient_times. reflexivity.
  - intros c _. destruct (Nat.eqb l i); [| ring].
    rewrite Rmult_plus_distr_r. f_equal; [ring |]. rewrite <- sum_scale_r. apply sum_ext; intros. ring.
Qed.

Lemma head_times h o :
  sum attended (fun l => sum d (fun c => block h l o c * u l c)) = through h (direction h) o.
Proof.
  rewrite (sum_ext attended _ (fun l =>
    p h l * (through h (projected (wv h) l) o + (through h (values h l) o - through h (y h) o) *
             (dot k (q h) (projected (wk h) l) / root)) +
    (if Nat.eqb i l
     then sum attended (fun j => p h j * (through h (values h j) o - through h (y h) o) *
                                 (dot k (keys h j) (projected (wq h) i) / root))
     else 0))) by (intros l Hl; rewrite block_times, Nat.eqb_sym by assumption; reflexivity).
  rewrite sum_plus, (sum_only attended i (fun _ => _)) by lia. rewrite <- sum_plus.
  unfold direction. rewrite through_linear. apply sum_ext; intros j _.
  rewrite (through_ext h (fun r => projected (wv h) j r + (values h j r - y h r) * score_differential h j)
             (fun r => projected (wv h) j r + score_differential h j * (values h j r - y h r))) by (intros; ring).
  rewrite through_plus, through_scale, through_minus. unfold score_differential.
  rewrite (dot_symmetric k (projected (wq h) i)). unfold Rdiv. ring.
Qed.

(* ---- All heads ---- *)

Lemma share_times h o : (h < count)%nat ->
  sum n (fun l => sum d (fun c => share o l c h * u l c)) =
  if (Nat.leb (first h) o && Nat.ltb o (first h + height))%bool then through h (direction h) (o - first h)%nat else 0.
Proof.
  intros Hh. replace n with (attended + (n - attended))%nat by lia. rewrite sum_append.
  rewrite (sum_zero (n - attended)), Rplus_0_r.
  - destruct (Nat.leb (first h) o && Nat.ltb o (first h + height))%bool eqn:E.
    + rewrite <- head_times. apply sum_ext; intros l Hl. apply sum_ext; intros c _. unfold share.
      rewrite E, (proj2 (Nat.ltb_lt l attended) Hl). reflexivity.
    + apply sum_zero; intros l _. apply sum_zero; intros c _. unfold share. rewrite E, Bool.andb_false_r. ring.
  - intros l _. apply sum_zero; intros c _. unfold share.
    rewrite (proj2 (Nat.ltb_ge (attended + l) attended)) by lia. cbn. ring.
Qed.

Hypothesis Hout : weighted = false -> out = (count * k)%nat.

(* a is row o of token i of the Jacobian, dy the derivatives of all heads, one after the other. *)
Theorem jacobian_direction (a dy flat : vector) o : (o < out)%nat ->
  (forall l c, (l < n)%nat -> (c < d)%nat -> a (l * d + c)%nat = jacobian_entry o l c) ->
  (forall l c, (l < n)%nat -> (c < d)%nat -> flat (l * d + c)%nat = u l c) ->
  (forall h r, (h < count)%nat -> (r < k)%nat -> dy (h * k + r)%nat = direction h r) ->
  dot (n * d) a flat = if weighted then dot (count * k) dy (wo o) else dy o.
Proof.
  intros Ho Ha Hu Hdy. unfold dot at 1. rewrite sum_blocks.
  rewrite (sum_ext n _ (fun l => sum d (fun c => sum count (fun h => share o l c h * u l c)))).
  2: { intros l Hl. apply sum_ext; intros c Hc. rewrite Ha, Hu by assumption. unfold jacobian_entry.
       rewrite sum_scale_r. reflexivity. }
  rewrite (sum_ext n _ (fun l => sum count (fun h => sum d (fun c => share o l c h * u l c))))
    by (intros; apply sum_swap).
  rewrite sum_swap. rewrite (sum_ext count _ _ (fun h Hh => share_times h o Hh)).
  unfold first, height. destruct weighted eqn:E.
  - unfold dot. rewrite sum_blocks. apply sum_ext; intros h Hh.
    rewrite (proj2 (Nat.ltb_lt o (0 + out)) Ho). cbn. rewrite Nat.sub_0_r. unfold through. rewrite E.
    apply sum_ext; intros r Hr. rewrite Hdy by assumption. reflexivity.
  - rewrite (Hout eq_refl) in Ho.
    assert (Hk : (0 < k)%nat) by lia.
    assert (Hdiv : (o = o / k * k + o mod k)%nat) by (rewrite Nat.mul_comm; apply Nat.div_mod; lia).
    assert (Hmod : (o mod k < k)%nat) by (apply Nat.mod_upper_bound; lia).
    assert (Hh : (o / k < count)%nat) by (apply Nat.div_lt_upper_bound; lia).
    rewrite (sum_ext count _ (fun h => if Nat.eqb (o / k) h then direction h (o - h * k)%nat else 0)).
    + rewrite (sum_only count (o / k) (fun h => direction h (o - h * k)%nat)) by assumption.
      replace (o - o / k * k)%nat with (o mod k) by lia. rewrite <- Hdy by assumption. f_equal. lia.
    + intros h Hh'. destruct (Nat.eqb_spec (o / k) h) as [<- | N].
      * rewrite (proj2 (Nat.leb_le (o / k * k) o)) by lia. rewrite (proj2 (Nat.ltb_lt o (o / k * k + k))) by lia.
        cbn. unfold through. rewrite E. reflexivity.
      * destruct (Nat.leb_spec (h * k) o); [| reflexivity]. destruct (Nat.ltb_spec o (h * k + k)); [| reflexivity].
        exfalso. apply N. symmetry. apply (Nat.div_unique o k h (o - h * k)); lia.
Qed.
End Layer.
