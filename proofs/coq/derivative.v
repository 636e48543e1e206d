(* Derivatives of functions of one real variable, added to those of Coq's library: finite sums and the
   straight line X + t xi.

   derivable_pt_lim f t l says that (f (t + e) - f t) / e tends to l as e tends to 0. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix.
Open Scope R_scope.

(* The sequence X moved by t along xi. *)
Definition along (X xi : tokens) (t : R) : tokens := fun j c => X j c + t * xi j c.

(* The same derivative, written differently; the same function, written differently. *)
Lemma derivative_value f t l l' : derivable_pt_lim f t l -> l = l' -> derivable_pt_lim f t l'.
Proof. intros; subst; auto. Qed.

Lemma derivative_ext f g t l : (forall u, f u = g u) -> derivable_pt_lim f t l -> derivable_pt_lim g t l.
Proof.
  intros E H eps He. destruct (H eps He) as [delta Hd]. exists delta. intros. rewrite <- !E. auto.
Qed.

Lemma derivative_line a b t : derivable_pt_lim (fun u => a + u * b) t b.
Proof.
  intros eps He. exists (mkposreal 1 Rlt_0_1). intros e e0 _.
  replace ((a + (t + e) * b - (a + t * b)) / e - b) with 0 by (field; auto). rewrite Rabs_R0; auto.
Qed.

Lemma derivative_sum n F dF t :
  (forall j, (j < n)%nat -> derivable_pt_lim (F j) t (dF j)) ->
  derivable_pt_lim (fun u => sum n (fun j => F j u)) t (sum n dF).
Proof.
  induction n; intros H; simpl; [apply derivable_pt_lim_const |].
  apply (derivable_pt_lim_plus (fun u => sum n (fun j => F j u)) (F n)); auto.
Qed.

Lemma derivative_divide f a t l : derivable_pt_lim f t l -> derivable_pt_lim (fun u => f u / a) t (l / a).
Proof.
  intros H. apply (derivative_ext (fun u => / a * f u)); [intros; unfold Rdiv; ring |].
  eapply derivative_value; [apply (derivable_pt_lim_scal f); eassumption | unfold Rdiv; ring].
Qed.

(* The product rule for an inner product. *)
Lemma derivative_dot k (f g : R -> vector) df dg t :
  (forall r, derivable_pt_lim (fun u => f u r) t (df r)) ->
  (forall r, derivable_pt_lim (fun u => g u r) t (dg r)) ->
  derivable_pt_lim (fun u => dot k (f u) (g u)) t (dot k df (g t) + dot k (f t) dg).
Proof.
  intros Hf Hg. unfold dot. rewrite <- sum_plus.
  apply (derivative_sum k (fun r u => f u r * g u r)). intros r _.
  apply (derivable_pt_lim_mult (fun u => f u r) (fun u => g u r)); auto.
Qed.

(* An affine map M x + b along a straight line. *)
Lemma derivative_affine d M b X xi j r t :
  derivable_pt_lim (fun u => mat_vec d M (along X xi u j) r + b r) t (mat_vec d M (xi j) r).
Proof.
  apply (derivative_ext (fun u => (mat_vec d M (X j) r + b r) + u * mat_vec d M (xi j) r)).
  - intros u. unfold along. rewrite mat_vec_plus.
    replace (mat_vec d M (fun c => u * xi j c) r) with (u * mat_vec d M (xi j) r); [ring |].
    symmetry; apply dot_scale_r.
  - apply derivative_line.
Qed.
