(* LayerNorm of one token x in R^d, as in spec/attention/layernorm.acsl:

     LN(x) = gamma * z + beta,  z = (x - mean) / s,  s = sqrt(var + eps),  var = ||x - mean||^2 / d.

   Its derivative is diag(gamma) / s (I - 1 1^T / d - z z^T / d), and all its values lie in the ball of radius
   sqrt(d) max|gamma| + ||beta||: after a LayerNorm, tokens are in a ball, which is what the bounds of attention ask
   for. *)
Require Import Reals Lra Lia.
From attcert Require Import sum vector average derivative.
Open Scope R_scope.

Section LayerNorm.
Variables (d : nat) (gamma beta : vector) (eps : R).
Hypothesis Hd : (0 < d)%nat.
Hypothesis Heps : 0 < eps.

Definition mean (x : vector) : R := sum d x / INR d.
Definition centred (x : vector) : vector := fun c => x c - mean x.
Definition scale (x : vector) : R := sqrt (norm2 d (centred x) / INR d + eps).
Definition standardized (x : vector) : vector := fun c => centred x c / scale x.
Definition layernorm (x : vector) : vector := fun c => gamma c * standardized x c + beta c.

(* Entry (c, e) of the Jacobian, and the Jacobian times u. *)
Definition layernorm_jacobian (x : vector) (c e : nat) : R :=
  gamma c * ((if Nat.eqb c e then 1 else 0) - (1 + standardized x c * standardized x e) / INR d) / scale x.
Definition layernorm_jvp (x u : vector) : vector :=
  fun c => gamma c * (u c - (sum d u + standardized x c * dot d (standardized x) u) / INR d) / scale x.

Lemma d_positive : 0 < INR d.
Proof. apply lt_0_INR; assumption. Qed.

Lemma radicand_positive x : 0 < norm2 d (centred x) / INR d + eps.
Proof.
  assert (0 <= norm2 d (centred x) / INR d); [| lra].
  apply Rmult_le_pos; [apply norm2_nonneg | left; apply Rinv_0_lt_compat; apply d_positive].
Qed.

Lemma scale_positive x : 0 < scale x.
Proof. apply sqrt_lt_R0. apply radicand_positive. Qed.

Theorem layernorm_jacobian_times x u c : (c < d)%nat -> dot d (layernorm_jacobian x c) u = layernorm_jvp x u c.
Proof.
  intros Hc. pose proof d_positive. pose proof (scale_positive x). unfold dot, layernorm_jvp.
  rewrite (sum_ext d _ (fun e => (if Nat.eqb c e then gamma c / scale x * u e else 0)
    + (- (gamma c / INR d / scale x)) * (u e + standardized x c * (standardized x e * u e)))).
  - rewrite sum_plus, (sum_only d c (fun e => gamma c / scale x * u e)), sum_scale, sum_plus, sum_scale by assumption.
    unfold dot. field. lra.
  - intros e _. unfold layernorm_jacobian. destruct (Nat.eqb c e); field; lra.
Qed.

(* ---- The derivative along u ---- *)

(* Centring is linear and takes sums to 0. *)
Lemma centred_line x u t c : centred (fun e => x e + t * u e) c = centred x c + t * centred u c.
Proof.
  pose proof d_positive. unfold centred, mean. rewrite sum_plus, sum_scale. field. lra.
Qed.

Lemma sum_centred x : sum d (centred x) = 0.
Proof.
  pose proof d_positive. unfold centred. rewrite sum_minus, sum_constant. unfold mean. field. lra.
Qed.

(* So the inner product of centred vectors needs only one of them centred. *)
Lemma dot_centred x u : dot d (centred x) (centred u) = dot d (centred x) u.
Proof.
  unfold centred at 2. rewrite dot_minus_r. replace (dot d (centred x) (fun _ => mean u)) with 0; [ring |].
  unfold dot. rewrite sum_scale_r, sum_centred. ring.
Qed.

Lemma dot_standardized x u : dot d (standardized x) u = dot d (centred x) u / scale x.
Proof. rewrite dot_symmetric, (dot_symmetric d (centred x)). apply dot_divide_r. Qed.

(* s' = z . u / d *)
Lemma derivative_scale x u :
  derivable_pt_lim (fun t => scale (fun e => x e + t * u e)) 0 (dot d (standardized x) u / INR d).
Proof.
  pose proof d_positive. pose proof (scale_positive x) as Hs.
  set (moved := fun t c => centred x c + t * centred u c).
  assert (HV : derivable_pt_lim (fun t => dot d (moved t) (moved t) / INR d + eps) 0 (2 * dot d (centred x) u / INR d)).
  { eapply derivative_value.
    - apply (derivable_pt_lim_plus (fun t => dot d (moved t) (moved t) / INR d) (fun _ => eps)).
      + apply (derivative_divide (fun t => dot d (moved t) (moved t))).
        apply (derivative_dot d moved moved (centred u) (centred u)); intros; apply derivative_line.
      + apply derivable_pt_lim_const.
    - rewrite (dot_symmetric d (moved 0)).
      replace (dot d (centred u) (moved 0)) with (dot d (centred x) u); [field; lra |].
      rewrite <- dot_centred, dot_symmetric. apply dot_ext; [reflexivity | intros; unfold moved; ring]. }
  apply (derivative_ext (fun t => sqrt (dot d (moved t) (moved t) / INR d + eps))).
  { intros t. unfold scale. do 3 f_equal. rewrite norm2_dot. apply dot_ext; intros; symmetry; apply centred_line. }
  assert (E0 : dot d (moved 0) (moved 0) = norm2 d (centred x)).
  { rewrite norm2_dot. apply dot_ext; intros; unfold moved; ring. }
  eapply derivative_value.
  - apply (derivable_pt_lim_comp (fun t => dot d (moved t) (moved t) / INR d + eps) sqrt); [exact HV |].
    apply derivable_pt_lim_sqrt. rewrite E0. apply radicand_positive.
  - rewrite E0, dot_standardized. fold (scale x). field. lra.
Qed.

Theorem layernorm_derivative x u c :
  derivable_pt_lim (fun t => layernorm (fun e => x e + t * u e) c) 0 (layernorm_jvp x u c).
Proof.
  pose proof d_positive. pose proof (scale_positive x) as Hs.
  assert (E0 : scale (fun e => x e + 0 * u e) = scale x).
  { unfold scale. do 3 f_equal. apply norm2_ext; intros. rewrite centred_line. ring. }
  apply (derivative_ext (fun t => gamma c * ((centred x c + t * centred u c) / scale (fun e => x e + t * u e)) +
    beta c)).
  { intros t. unfold layernorm, standardized. rewrite centred_line. reflexivity. }
  eapply derivative_value.
  - apply (derivable_pt_lim_plus (fun t => gamma c * ((centred x c + t * centred u c) / scale (fun e => x e + t * u e)))
      (fun _ => beta c)); [| apply derivable_pt_lim_const].
    apply (derivable_pt_lim_scal (fun t => (centred x c + t * centred u c) / scale (fun e => x e + t * u e))).
    apply (derivable_pt_lim_div (fun t => centred x c + t * centred u c) (fun t => scale (fun e => x e + t * u e)));
      [apply derivative_line | apply derivative_scale | rewrite E0; lra].
  - rewrite E0. unfold layernorm_jvp, standardized at 2, Rsqr. unfold centred at 1. unfold mean. field. lra.
Qed.

(* ---- The values lie in a ball ---- *)

(* ||z||^2 = d var / (var + eps) <= d *)
Lemma standardized_le x : norm2 d (standardized x) <= INR d.
Proof.
  pose proof d_positive. pose proof (scale_positive x) as Hs. pose proof (radicand_positive x) as Hr.
  assert (E : norm2 d (standardized x) * scale x ^ 2 = norm2 d (centred x)).
  { unfold norm2 at 1. rewrite <- sum_scale_r. apply sum_ext; intros. unfold standardized. field. lra. }
  assert (HS : scale x ^ 2 = norm2 d (centred x) / INR d + eps) by (unfold scale; rewrite pow2_sqrt; lra).
  apply Rmult_le_reg_r with (scale x ^ 2); [rewrite HS; assumption |]. rewrite E, HS.
  replace (INR d * (norm2 d (centred x) / INR d + eps)) with (norm2 d (centred x) + INR d * eps) by (field; lra).
  pose proof (Rmult_lt_0_compat _ _ H Heps). lra.
Qed.

Theorem layernorm_in_ball n X G B :
  0 <= G -> 0 <= B -> (forall c, (c < d)%nat -> Rabs (gamma c) <= G) -> norm2 d beta <= B ^ 2 ->
  in_ball n d (sqrt (INR d) * G + B) (fun j => layernorm (X j)).
Proof.
  intros HG HB Hgamma Hbeta j _. pose proof d_positive as HD.
  apply Rle_trans with ((sqrt (INR d) * G + B) ^ 2 * 1); [| lra].
  apply (norm2_triangle d (fun c => gamma c * standardized (X j) c) beta); try lra.
  - apply Rmult_le_pos; [apply sqrt_pos | assumption].
  - rewrite Rmult_1_r, Rpow_mult_distr, pow2_sqrt by lra.
    apply Rle_trans with (norm2 d (standardized (X j)) * G ^ 2).
    + unfold norm2. rewrite <- sum_scale_r. apply sum_le; intros c Hc.
      rewrite Rpow_mult_distr, Rmult_comm. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
      rewrite <- pow2_abs. apply pow_incr. split; [apply Rabs_pos | auto].
    + apply Rmult_le_compat_r; [apply pow2_ge_0 | apply standardized_le].
Qed.

End LayerNorm.
