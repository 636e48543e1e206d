(* ||Phi_i||^2 <= N_ii and ||Phi||^2 <= rho(N): for forms G_ij with masses b_ij >= 0, i below k, j below n,

     sum_ij b_ij (G_ij . F)^2 <= rho ||F||^2     if  N_il^2 >= sum_jm b_ij b_lm (G_ij . G_lm)^2
                                                 and x . N x <= rho |x|^2 for all x >= 0.

   Proof. With y_ij = b_ij^{1/2} (G_ij . F) the left side is S = sum_i |y_i|^2 = Psi . F for the form
   Psi = sum_ij b_ij^{1/2} y_ij G_ij, and ||Psi||^2 <= sum_il |y_i| N_il |y_l| <= rho S by Cauchy-Schwarz for each pair
   i, l. So S^2 <= rho S ||F||^2. One row alone (k = 1) has rho = N_ii. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector matrix average norm gram.
Open Scope R_scope.

Section Stack.
Variables (k n d : nat) (b N : matrix) (G : forms) (rho : R).
Hypothesis Hb : forall i j, (i < k)%nat -> (j < n)%nat -> 0 <= b i j.
Hypothesis HN : forall i l, (i < k)%nat -> (l < k)%nat -> 0 <= N i l.
Hypothesis Hpair : forall i l, (i < k)%nat -> (l < k)%nat ->
  sum n (fun j => sum n (fun m => b i j * b l m * sequence_dot n d (G i j) (G l m) ^ 2)) <= N i l ^ 2.
Hypothesis Hrho : 0 <= rho.
Hypothesis Hradius : forall x, (forall i, (i < k)%nat -> 0 <= x i) ->
  sum k (fun i => sum k (fun l => x i * N i l * x l)) <= rho * norm2 k x.
Variable F : tokens.

Definition root_mass (i j : nat) : R := sqrt (b i j).
Definition weighted (i : nat) : vector := fun j => root_mass i j * sequence_dot n d (G i j) F.
Definition row_form (i : nat) : tokens := combined n (fun j => root_mass i j * weighted i j) (G i).
Definition stack_form : tokens := fun m c => sum k (fun i => row_form i m c).

Lemma weighted_norm2 i : (i < k)%nat ->
  norm2 n (weighted i) = sum n (fun j => b i j * sequence_dot n d (G i j) F ^ 2).
Proof.
  intros Hi. apply sum_ext; intros j Hj. unfold weighted, root_mass.
  rewrite Rpow_mult_distr, pow2_sqrt by auto. reflexivity.
Qed.

Lemma stack_dot Y : sequence_dot n d stack_form Y = sum k (fun i => sequence_dot n d (row_form i) Y).
Proof.
  symmetry. unfold sequence_dot at 1. rewrite sum_swap. apply sum_ext; intros m _. unfold dot. rewrite sum_swap.
  apply sum_ext; intros c _. unfold stack_form. apply sum_scale_r.
Qed.

Lemma row_form_dot i : sequence_dot n d (row_form i) F = norm2 n (weighted i).
Proof. unfold row_form. rewrite combined_dot. apply sum_ext; intros j _. unfold weighted. ring. Qed.

Lemma sequence_dot_symmetric Y Z : sequence_dot n d Y Z = sequence_dot n d Z Y.
Proof. apply sum_ext; intros; apply dot_symmetric. Qed.

(* Cauchy-Schwarz for one pair of rows. *)
Lemma row_pair_le i l : (i < k)%nat -> (l < k)%nat ->
  sequence_dot n d (row_form i) (row_form l) <= norm n (weighted i) * N i l * norm n (weighted l).
Proof.
  intros Hi Hl. set (K := fun j m => root_mass i j * root_mass l m * sequence_dot n d (G i j) (G l m)).
  assert (E : sequence_dot n d (row_form i) (row_form l) = dot n (weighted i) (mat_vec n K (weighted l))).
  { unfold row_form at 1. rewrite combined_dot. apply sum_ext; intros j _.
    rewrite sequence_dot_symmetric. unfold row_form. rewrite combined_dot.
    replace (mat_vec n K (weighted l) j) with (root_mass i j *
      sum n (fun m => root_mass l m * weighted l m * sequence_dot n d (G l m) (G i j))).
    - ring.
    - unfold mat_vec, dot. rewrite <- sum_scale. apply sum_ext; intros m _. unfold K.
      rewrite (sequence_dot_symmetric (G l m)). ring. }
  rewrite E. eapply Rle_trans; [apply Rle_abs | eapply Rle_trans; [apply dot_le_norms |]].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply norm_nonneg |].
  apply norm_le; [apply Rmult_le_pos; [auto | apply norm_nonneg] |].
  rewrite Rpow_mult_distr, norm_square. eapply Rle_trans; [apply (frobenius_bound n n K) |].
  apply Rmult_le_compat_r; [apply norm2_nonneg |].
  rewrite pow2_sqrt by (apply sum_nonneg; intros; apply norm2_nonneg).
  eapply Rle_trans; [right | apply Hpair; assumption].
  apply sum_ext; intros j Hj. apply sum_ext; intros m Hm. unfold K, root_mass.
  rewrite !Rpow_mult_distr, !pow2_sqrt by auto. reflexivity.
Qed.

Theorem stack_norm_le : sum k (fun i => sum n (fun j => b i j * sequence_dot n d (G i j) F ^ 2))
  <= rho * sequence_norm2 n d F.
Proof.
  set (S := sum k (fun i => sum n (fun j => b i j * sequence_dot n d (G i j) F ^ 2))).
  assert (ES : S = sum k (fun i => norm2 n (weighted i)))
    by (apply sum_ext; intros; symmetry; apply weighted_norm2; assumption).
  assert (HS : 0 <= S) by (rewrite ES; apply sum_nonneg; intros; apply norm2_nonneg).
  assert (EF : sequence_dot n d stack_form F = S).
  { rewrite stack_dot, ES. apply sum_ext; intros; apply row_form_dot. }
  assert (HP : sequence_norm2 n d stack_form <= rho * S).
  { replace (sequence_norm2 n d stack_form) with (sequence_dot n d stack_form stack_form)
      by (apply sum_ext; intros; symmetry; apply norm2_dot).
    rewrite stack_dot. rewrite (sum_ext k _ (fun i => sum k (fun l => sequence_dot n d (row_form l) (row_form i))))
      by (intros i _; rewrite sequence_dot_symmetric; apply stack_dot).
    apply Rle_trans with (rho * norm2 k (fun i => norm n (weighted i))).
    - eapply Rle_trans; [| apply Hradius; intros; apply norm_nonneg].
      rewrite sum_swap. apply sum_le; intros i Hi. apply sum_le; intros l Hl. apply row_pair_le; assumption.
    - apply Rmult_le_compat_l; [assumption |]. right. rewrite ES. apply sum_ext; intros. apply norm_square. }
  pose proof (sequence_cauchy_schwarz n d stack_form F) as C. rewrite EF in C.
  pose proof (sequence_norm2_nonneg n d F) as HF. set (f := sequence_norm2 n d F) in *.
  assert (C2 : S * S <= S * (rho * f)).
  { replace (S * S) with (S ^ 2) by ring. eapply Rle_trans; [exact C |].
    replace (S * (rho * f)) with (rho * S * f) by ring. apply Rmult_le_compat_r; assumption. }
  destruct (Req_dec S 0) as [-> | S0]; [apply Rmult_le_pos; assumption |].
  apply Rmult_le_reg_l with S; lra.
Qed.

End Stack.
