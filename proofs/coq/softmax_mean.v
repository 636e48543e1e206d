(* The derivative of a mean with softmax weights, m(z) = sum_j p_j z_j with p_j' = p_j (s_j' - m(s')):

     m(z)' = m(z') + m((z - m(z)) s').

   The rows of attention have such weights along every line (derivative_weight, jacobian.v). What is differentiated
   along a line at 0 for every X is differentiated at all of its points. *)
Require Import Reals Lra Lia.
Require FunctionalExtensionality.
From attcert Require Import sum vector matrix derivative attention jacobian.
Open Scope R_scope.

Definition mean (n : nat) (p z : vector) : R := sum n (fun j => p j * z j).

Lemma mean_ext n p f g : (forall j, (j < n)%nat -> f j = g j) -> mean n p f = mean n p g.
Proof. intros H. apply sum_ext; intros j Hj. rewrite H; auto. Qed.

Lemma mean_plus n p f g : mean n p (fun j => f j + g j) = mean n p f + mean n p g.
Proof. unfold mean. rewrite <- sum_plus. apply sum_ext; intros; ring. Qed.

Lemma mean_minus n p f g : mean n p (fun j => f j - g j) = mean n p f - mean n p g.
Proof. unfold mean. rewrite <- sum_minus. apply sum_ext; intros; ring. Qed.

Lemma mean_scale n p a f : mean n p (fun j => a * f j) = a * mean n p f.
Proof. unfold mean. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.

Theorem softmax_mean_derivative n (p z : R -> vector) (s' z' : vector) t :
  (forall j, (j < n)%nat -> derivable_pt_lim (fun u => p u j) t (p t j * (s' j - mean n (p t) s'))) ->
  (forall j, (j < n)%nat -> derivable_pt_lim (fun u => z u j) t (z' j)) ->
  derivable_pt_lim (fun u => mean n (p u) (z u)) t
    (mean n (p t) z' + mean n (p t) (fun j => (z t j - mean n (p t) (z t)) * s' j)).
Proof.
  intros Hp Hz. eapply derivative_value.
  - apply (derivative_sum n (fun j u => p u j * z u j)). intros j Hj.
    apply (derivable_pt_lim_mult (fun u => p u j) (fun u => z u j)); [apply Hp | apply Hz]; assumption.
  - cbv beta. set (m := mean n (p t) (z t)). set (ds := mean n (p t) s').
    rewrite (mean_ext n (p t) (fun j => (z t j - m) * s' j) (fun j => z t j * s' j - m * s' j)) by (intros; ring).
    rewrite mean_minus, mean_scale. fold ds.
    rewrite (sum_ext n _ (fun j => p t j * z' j + (p t j * (z t j * s' j) - ds * (p t j * z t j)))) by (intros; ring).
    rewrite sum_plus, sum_minus, sum_scale. unfold m, mean. ring.
Qed.

(* ---- Along a line ---- *)

Lemma tokens_ext (X Y : tokens) : (forall j c, X j c = Y j c) -> X = Y.
Proof.
  intros H. apply FunctionalExtensionality.functional_extensionality; intros j.
  apply FunctionalExtensionality.functional_extensionality; intros c. apply H.
Qed.

Lemma along_at_0 X xi : along X xi 0 = X.
Proof. apply tokens_ext; intros; unfold along; ring. Qed.

Lemma along_again X xi t u : along (along X xi t) xi u = along X xi (t + u).
Proof. apply tokens_ext; intros; unfold along; ring. Qed.

Lemma derivative_along (f df : tokens -> R) xi X t :
  (forall Y, derivable_pt_lim (fun u => f (along Y xi u)) 0 (df Y)) ->
  derivable_pt_lim (fun u => f (along X xi u)) t (df (along X xi t)).
Proof.
  intros H eps He. destruct (H (along X xi t) eps He) as [delta Hd]. exists delta. intros e e0 Hlt.
  specialize (Hd e e0 Hlt). rewrite !along_again, Rplus_0_r, Rplus_0_l in Hd. exact Hd.
Qed.
