(* T14: how large the component of a start along an eigenvector can be, from a three-term recurrence that begins there.

   beta j stands for beta_(j+1) in the text. Nothing is asked of the vectors w but that each step of the recurrence
   leaves a residual of at most rho. *)
Require Import Reals Lra Lia Classical.
From attcert Require Import sum vector matrix deflation.
Open Scope R_scope.

Section Recurrence.

Variables alpha beta : nat -> R.

(* beta_j, 0 where there is no vector before. *)
Definition coupling (j : nat) : R := match j with O => 0 | S i => beta i end.

(* (pi_j, pi_(j-1)) at lam. *)
Fixpoint polynomials (lam : R) (j : nat) : R * R :=
  match j with
  | O => (1, 0)
  | S i => let (p, q) := polynomials lam i in (((lam - alpha i) * p - coupling i * q) / beta i, p)
  end.

Definition polynomial (lam : R) (j : nat) : R := fst (polynomials lam j).

(* B_k(lam), for a last vector of norm nu. *)
Definition accumulated (lam : R) (rho : nat -> R) (l : nat) : R := sum (S l) (fun i => rho i * polynomial lam i).
Definition component_bound (lam : R) (rho : nat -> R) (k : nat) (nu : R) : R :=
  nu / polynomial lam k +
  sum k (fun l => accumulated lam rho l / (beta l * polynomial lam l * polynomial lam (S l))).

Lemma polynomial_zero lam : polynomial lam 0 = 1.
Proof. reflexivity. Qed.

Lemma polynomials_before lam j : snd (polynomials lam (S j)) = polynomial lam j.
Proof. unfold polynomial. simpl. destruct (polynomials lam j). reflexivity. Qed.

Lemma polynomial_one lam : 0 < beta 0 -> beta 0%nat * polynomial lam 1 = lam - alpha 0%nat.
Proof. intros H. unfold polynomial. simpl. field. lra. Qed.

Lemma polynomial_step lam j : 0 < beta (S j) ->
  beta (S j) * polynomial lam (S (S j)) = (lam - alpha (S j)) * polynomial lam (S j) - beta j * polynomial lam j.
Proof.
  intros H. rewrite <- (polynomials_before lam j). unfold polynomial. cbn [polynomials].
  destruct (let (p, q) := polynomials lam j in (((lam - alpha j) * p - coupling j * q) / beta j, p)) as [p q] eqn:E.
  simpl. field. lra.
Qed.

(* ---- At the eigenvalue itself ---- *)

Section Component.

Variables (c : nat -> R) (lambda : R) (k : nat).
Hypothesis positive_beta : forall j, (j < k)%nat -> 0 < beta j.

(* The residual's component. *)
Definition slip (j : nat) : R := beta j * c (S j) - ((lambda - alpha j) * c j - coupling j * c (pred j)).

Lemma casoratian l : (l < k)%nat ->
  beta l * (c (S l) * polynomial lambda l - c l * polynomial lambda (S l)) =
  sum (S l) (fun i => slip i * polynomial lambda i).
Proof.
  induction l as [| l IH]; intros Hl.
  - pose proof (polynomial_one lambda (positive_beta 0 Hl)) as E. cbn [sum]. unfold slip. cbn [coupling pred].
    rewrite polynomial_zero. nra.
  - pose proof (polynomial_step lambda l (positive_beta (S l) Hl)) as E. assert (Hl' : (l < k)%nat) by lia.
    specialize (IH Hl'). remember (S l) as m eqn:Em. cbn [sum]. rewrite Em in *. rewrite <- IH. unfold slip at 1.
    cbn [coupling pred].
    replace (beta (S l) * (c (S (S l)) * polynomial lambda (S l) - c (S l) * polynomial lambda (S (S l)))) with
      (beta (S l) * c (S (S l)) * polynomial lambda (S l) - c (S l) * (beta (S l) * polynomial lambda (S (S l))))
      by ring.
    rewrite E. ring.
Qed.

Lemma component_at_eigenvalue j :
  (j <= k)%nat -> (forall i, (i <= j)%nat -> 0 < polynomial lambda i) ->
  c j / polynomial lambda j =
  c 0%nat + sum j (fun l => sum (S l) (fun i => slip i * polynomial lambda i) /
                            (beta l * polynomial lambda l * polynomial lambda (S l))).
Proof.
  induction j as [| j IH]; intros Hj Hp.
  - rewrite polynomial_zero. cbn [sum]. field.
  - match goal with |- _ = _ + sum _ ?f => change (sum (S j) f) with (sum j f + f j) end.
    rewrite <- Rplus_assoc, <- IH by (try lia; intros; apply Hp; lia).
    assert (Hjk : (j < k)%nat) by lia. rewrite <- (casoratian j Hjk).
    pose proof (Hp j ltac:(lia)). pose proof (Hp (S j) ltac:(lia)). pose proof (positive_beta j Hjk).
    field. repeat split; lra.
Qed.

End Component.

(* ---- What is less at the eigenvalue than below it ---- *)

Section Growth.

Variables (k : nat) (lam lambda : R).
Hypothesis positive_beta : forall j, (j < k)%nat -> 0 < beta j.
Hypothesis positive : forall j, (j <= k)%nat -> 0 < polynomial lam j.
Hypothesis below : lam <= lambda.

Lemma ratio_grows j : (j < k)%nat ->
  0 < polynomial lambda j /\
  polynomial lam (S j) * polynomial lambda j <= polynomial lambda (S j) * polynomial lam j.
Proof.
  induction j as [| j IH]; intros Hj.
  - rewrite !polynomial_zero. split; [lra |]. pose proof (positive_beta 0 Hj) as Hb.
    apply (Rmult_le_reg_l (beta 0%nat)); [assumption |].
    pose proof (polynomial_one lam Hb). pose proof (polynomial_one lambda Hb). nra.
  - destruct (IH ltac:(lia)) as [Hp Hr]. clear IH.
    pose proof (positive j ltac:(lia)) as P0. pose proof (positive (S j) ltac:(lia)) as P1.
    assert (Q1 : 0 < polynomial lambda (S j)).
    { assert (0 < polynomial lam (S j) * polynomial lambda j) by (apply Rmult_lt_0_compat; assumption).
      destruct (Rlt_or_le 0 (polynomial lambda (S j))); [assumption |]. exfalso. nra. }
    split; [assumption |].
    pose proof (positive_beta (S j) Hj) as Hb. pose proof (positive_beta j ltac:(lia)) as Hb'.
    pose proof (polynomial_step lam j Hb) as E. pose proof (polynomial_step lambda j Hb) as E'.
    apply (Rmult_le_reg_l (beta (S j))); [assumption |].
    replace (beta (S j) * (polynomial lam (S (S j)) * polynomial lambda (S j))) with
      (beta (S j) * polynomial lam (S (S j)) * polynomial lambda (S j)) by ring.
    replace (beta (S j) * (polynomial lambda (S (S j)) * polynomial lam (S j))) with
      (beta (S j) * polynomial lambda (S (S j)) * polynomial lam (S j)) by ring.
    rewrite E, E'.
    assert (0 <= (lambda - lam) * (polynomial lam (S j) * polynomial lambda (S j))).
    { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; lra. }
    assert (0 <= beta j * (polynomial lambda (S j) * polynomial lam j - polynomial lam (S j) * polynomial lambda j)).
    { apply Rmult_le_pos; lra. }
    nra.
Qed.

Lemma positive_at_eigenvalue j : (j <= k)%nat -> 0 < polynomial lambda j.
Proof.
  destruct j as [| j]; intros Hj; [rewrite polynomial_zero; lra |].
  destruct (ratio_grows j ltac:(lia)) as [Hp Hr]. pose proof (positive j ltac:(lia)).
  pose proof (positive (S j) ltac:(lia)).
  assert (0 < polynomial lam (S j) * polynomial lambda j) by (apply Rmult_lt_0_compat; assumption).
  destruct (Rlt_or_le 0 (polynomial lambda (S j))); [assumption |]. exfalso. nra.
Qed.

Lemma quotient_grows i l : (i <= l <= k)%nat ->
  polynomial lam l * polynomial lambda i <= polynomial lambda l * polynomial lam i.
Proof.
  intros [Hil Hl]. induction Hil as [| l Hil IH]; [lra |].
  specialize (IH ltac:(lia)). destruct (ratio_grows l ltac:(lia)) as [_ Hr].
  pose proof (positive l ltac:(lia)) as P. pose proof (positive (S l) ltac:(lia)) as P'.
  pose proof (positive_at_eigenvalue l ltac:(lia)) as Q. pose proof (positive i ltac:(lia)) as Pi.
  pose proof (positive_at_eigenvalue (S l) ltac:(lia)) as Q'.
  apply (Rmult_le_reg_l (polynomial lam l * polynomial lambda l)); [apply Rmult_lt_0_compat; assumption |].
  replace (polynomial lam l * polynomial lambda l * (polynomial lam (S l) * polynomial lambda i)) with
    ((polynomial lam (S l) * polynomial lambda l) * (polynomial lam l * polynomial lambda i)) by ring.
  replace (polynomial lam l * polynomial lambda l * (polynomial lambda (S l) * polynomial lam i)) with
    ((polynomial lambda (S l) * polynomial lam l) * (polynomial lambda l * polynomial lam i)) by ring.
  pose proof (positive_at_eigenvalue i ltac:(lia)) as Qi.
  apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra.
Qed.

Lemma polynomial_grows l : (l <= k)%nat -> polynomial lam l <= polynomial lambda l.
Proof.
  intros Hl. pose proof (quotient_grows 0 l ltac:(lia)) as H. rewrite !polynomial_zero in H. lra.
Qed.

Lemma quotient_le a b c d : 0 < b -> 0 < d -> a * d <= c * b -> a / b <= c / d.
Proof.
  intros Hb Hd H. apply (Rmult_le_reg_r (b * d)); [apply Rmult_lt_0_compat; assumption |].
  replace (a / b * (b * d)) with (a * d) by (field; lra). replace (c / d * (b * d)) with (c * b) by (field; lra).
  assumption.
Qed.

Lemma term_falls rho l : (l < k)%nat -> (forall j, (j <= l)%nat -> 0 <= rho j) ->
  accumulated lambda rho l / (beta l * polynomial lambda l * polynomial lambda (S l)) <=
  accumulated lam rho l / (beta l * polynomial lam l * polynomial lam (S l)).
Proof.
  intros Hl Hrho. pose proof (positive_beta l Hl) as Hb.
  pose proof (positive l ltac:(lia)) as P. pose proof (positive (S l) ltac:(lia)) as P'.
  pose proof (positive_at_eigenvalue l ltac:(lia)) as Q. pose proof (positive_at_eigenvalue (S l) ltac:(lia)) as Q'.
  assert (A : accumulated lambda rho l * polynomial lam l <= accumulated lam rho l * polynomial lambda l).
  { unfold accumulated. rewrite <- !sum_scale_r. apply sum_le. intros i Hi.
    replace (rho i * polynomial lambda i * polynomial lam l) with (rho i * (polynomial lam l * polynomial lambda i))
      by ring.
    replace (rho i * polynomial lam i * polynomial lambda l) with (rho i * (polynomial lambda l * polynomial lam i))
      by ring.
    apply Rmult_le_compat_l; [apply Hrho; lia | apply quotient_grows; lia]. }
  assert (N : 0 <= accumulated lambda rho l).
  { apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply Hrho; lia |].
    apply Rlt_le, positive_at_eigenvalue. lia. }
  pose proof (polynomial_grows (S l) ltac:(lia)) as G.
  apply quotient_le; try (repeat apply Rmult_lt_0_compat; assumption).
  replace (accumulated lambda rho l * (beta l * polynomial lam l * polynomial lam (S l))) with
    (beta l * ((accumulated lambda rho l * polynomial lam l) * polynomial lam (S l))) by ring.
  replace (accumulated lam rho l * (beta l * polynomial lambda l * polynomial lambda (S l))) with
    (beta l * ((accumulated lam rho l * polynomial lambda l) * polynomial lambda (S l))) by ring.
  apply Rmult_le_compat_l; [lra |].
  apply Rmult_le_compat; try lra. apply Rmult_le_pos; lra.
Qed.

End Growth.

(* The components of a recurrence with small residuals. *)
Lemma component_le c lambda lam rho nu k :
  (forall j, (j < k)%nat -> 0 < beta j) -> (forall j, (j <= k)%nat -> 0 < polynomial lam j) -> lam <= lambda ->
  (forall j, (j < k)%nat -> Rabs (slip c lambda j) <= rho j) -> Rabs (c k) <= nu ->
  Rabs (c 0%nat) <= component_bound lam rho k nu.
Proof.
  intros Hb Hp Hl Hs Hc.
  assert (Hq : forall j, (j <= k)%nat -> 0 < polynomial lambda j)
    by (intros j Hj; apply (positive_at_eigenvalue k lam lambda Hb Hp Hl); assumption).
  assert (Hrho : forall j, (j < k)%nat -> 0 <= rho j)
    by (intros j Hj; eapply Rle_trans; [apply Rabs_pos | apply (Hs j Hj)]).
  pose proof (component_at_eigenvalue c lambda k Hb k (Nat.le_refl k) Hq) as E.
  set (total := sum k (fun l => sum (S l) (fun i => slip c lambda i * polynomial lambda i) /
                               (beta l * polynomial lambda l * polynomial lambda (S l)))) in E.
  assert (C : Rabs (c 0%nat) <= Rabs (c k) / polynomial lambda k + Rabs total).
  { replace (c 0%nat) with (c k / polynomial lambda k - total) by lra.
    pose proof (Hq k (Nat.le_refl k)) as Q. unfold Rminus. eapply Rle_trans; [apply Rabs_triang |].
    rewrite Rabs_Ropp. unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ polynomial lambda k)); [lra |].
    apply Rle_ge, Rlt_le, Rinv_0_lt_compat. assumption. }
  assert (T : Rabs total <=
              sum k (fun l => accumulated lam rho l / (beta l * polynomial lam l * polynomial lam (S l)))).
  { unfold total. eapply Rle_trans; [apply sum_abs_le |]. apply sum_le. intros l Hlk.
    eapply Rle_trans; [| apply (term_falls k lam lambda Hb Hp Hl rho l Hlk); intros; apply Hrho; lia].
    assert (D : 0 < beta l * polynomial lambda l * polynomial lambda (S l)).
    { repeat apply Rmult_lt_0_compat; [apply Hb; lia | apply Hq; lia | apply Hq; lia]. }
    unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat; assumption).
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption |].
    unfold accumulated. eapply Rle_trans; [apply sum_abs_le |]. apply sum_le. intros i Hi.
    rewrite Rabs_mult, (Rabs_right (polynomial lambda i)) by (apply Rle_ge, Rlt_le, Hq; lia).
    apply Rmult_le_compat_r; [apply Rlt_le, Hq; lia | apply Hs; lia]. }
  assert (V : Rabs (c k) / polynomial lambda k <= nu / polynomial lam k).
  { pose proof (polynomial_grows k lam lambda Hb Hp Hl k (Nat.le_refl k)) as G.
    pose proof (Hp k (Nat.le_refl k)) as P. pose proof (Hq k (Nat.le_refl k)) as Q. pose proof (Rabs_pos (c k)).
    apply quotient_le; [assumption | assumption |]. apply Rmult_le_compat; lra. }
  unfold component_bound. lra.
Qed.

End Recurrence.

(* ---- Vectors ---- *)

Lemma dot_of_norms N u r a : norm2 N u = 1 -> norm2 N r <= a ^ 2 -> 0 <= a -> Rabs (dot N u r) <= a.
Proof.
  intros Hu Hr Ha. pose proof (cauchy_schwarz N u r) as C. rewrite Hu in C.
  apply square_le_le; [| assumption]. rewrite <- Rsqr_pow2, <- Rsqr_abs, Rsqr_pow2. lra.
Qed.

(* u: a unit vector that is an eigenvector of a symmetric G up to epsilon; w: any vectors, of norms at most size; alpha,
   any numbers; beta, any positive ones. *)
Theorem start_component N G u lambda w alpha beta rho size epsilon lam k :
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) ->
  norm2 N (fun c => mat_vec N G u c - lambda * u c) <= epsilon ^ 2 -> norm2 N u = 1 -> 0 <= epsilon ->
  (forall j, (j < k)%nat -> 0 < beta j) -> (forall j, (j < k)%nat -> 0 <= rho j) -> (forall j, 0 <= size j) ->
  (forall j, (j < k)%nat ->
     norm2 N (fun c => beta j * w (S j) c - (mat_vec N G (w j) c - alpha j * w j c - coupling beta j * w (pred j) c)) <=
     rho j ^ 2) ->
  (forall j, (j <= k)%nat -> norm2 N (w j) <= size j ^ 2) ->
  (forall j, (j <= k)%nat -> 0 < polynomial alpha beta lam j) -> lam <= lambda ->
  Rabs (dot N u (w 0%nat)) <= component_bound alpha beta lam (fun j => rho j + epsilon * size j) k (size k).
Proof.
  intros HG Hu H1 He Hb Hr Hs Hres Hw Hp Hl.
  apply (component_le alpha beta (fun j => dot N u (w j)) lambda lam _ (size k) k); try assumption.
  - intros j Hj. unfold slip.
    set (r := fun c => beta j * w (S j) c - (mat_vec N G (w j) c - alpha j * w j c - coupling beta j * w (pred j) c)).
    set (e := fun c => mat_vec N G u c - lambda * u c).
    replace (beta j * dot N u (w (S j)) - ((lambda - alpha j) * dot N u (w j) - coupling beta j * dot N u (w (pred j))))
      with (dot N u r + dot N (w j) e).
    + eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat.
      * apply dot_of_norms; [assumption | apply Hres; assumption | apply Hr; assumption].
      * apply square_le_le; [| apply Rmult_le_pos; [assumption | apply Hs]].
        rewrite <- Rsqr_pow2, <- Rsqr_abs, Rsqr_pow2. eapply Rle_trans; [apply cauchy_schwarz |].
        rewrite Rpow_mult_distr, Rmult_comm. apply Rmult_le_compat; try apply norm2_nonneg; [assumption |].
        apply Hw. lia.
    + unfold r, e. rewrite (dot_minus_r N u (fun c => beta j * w (S j) c)),
        (dot_minus_r N u (fun c => mat_vec N G (w j) c - alpha j * w j c)),
        (dot_minus_r N u (mat_vec N G (w j))), (dot_minus_r N (w j) (mat_vec N G u)), !dot_scale_r.
      assert (A : dot N u (mat_vec N G (w j)) = dot N (w j) (mat_vec N G u)) by (apply form_symmetric; assumption).
      rewrite A, (dot_symmetric N (w j) u). ring.
  - apply dot_of_norms; [assumption | apply Hw; lia | apply Hs].
Qed.

(* ---- The largest eigenvalue, and unit vectors as close to its eigenvectors as one likes ---- *)

Lemma form_bound N G x : let F := sqrt (sum N (fun r => norm2 N (G r))) in Rabs (form N G x x) <= F * norm2 N x.
Proof.
  intros F. apply square_le_le; [| apply Rmult_le_pos; [apply sqrt_pos | apply norm2_nonneg]].
  rewrite <- Rsqr_pow2, <- Rsqr_abs, Rsqr_pow2. unfold form. eapply Rle_trans; [apply cauchy_schwarz |].
  pose proof (frobenius_bound N N G x) as H. fold F in H. pose proof (norm2_nonneg N x). nra.
Qed.

Lemma form_scaled N G a x : form N G (fun c => a * x c) (fun c => a * x c) = a ^ 2 * form N G x x.
Proof.
  unfold form. rewrite (dot_ext N _ (fun c => a * x c) _ (fun r => a * mat_vec N G x r)); auto.
  - rewrite dot_scale_r, dot_symmetric, dot_scale_r, dot_symmetric. ring.
  - intros r _. unfold mat_vec. apply dot_scale_r.
Qed.

Lemma form_scaled_l N G a x y : form N G (fun c => a * x c) y = a * form N G x y.
Proof. unfold form. rewrite dot_symmetric, dot_scale_r, dot_symmetric. reflexivity. Qed.

Definition is_largest (N : nat) (G : matrix) (lambda : R) : Prop :=
  (forall x, form N G x x <= lambda * norm2 N x) /\
  (forall delta, 0 < delta -> exists x, norm2 N x = 1 /\ lambda - delta < form N G x x).

Lemma largest_exists N G : (0 < N)%nat -> exists lambda, is_largest N G lambda.
Proof.
  intros HN. set (E := fun r => exists x, norm2 N x = 1 /\ r = form N G x x).
  set (F := sqrt (sum N (fun r => norm2 N (G r)))).
  assert (HE : bound E).
  { exists F. intros r (x & Hx & ->). pose proof (form_bound N G x) as H. fold F in H. cbv zeta in H.
    pose proof (Rle_abs (form N G x x)). rewrite Hx in H. lra. }
  assert (HI : exists r, E r).
  { exists (form N G (fun c => if Nat.eqb 0 c then 1 else 0) (fun c => if Nat.eqb 0 c then 1 else 0)). eexists.
    split; [| reflexivity]. unfold norm2.
    rewrite (sum_ext N _ (fun j => if Nat.eqb 0 j then 1 else 0)) by (intros j _; destruct (Nat.eqb 0 j); ring).
    apply (sum_only N 0 (fun _ => 1)). assumption. }
  destruct (completeness E HE HI) as (lambda & Hup & Hleast). exists lambda. split.
  - intros x. destruct (Req_dec (norm2 N x) 0) as [H0 | H0].
    + pose proof (form_bound N G x) as H. cbv zeta in H. pose proof (Rle_abs (form N G x x)). rewrite H0 in *. lra.
    + pose proof (norm2_nonneg N x) as Hn. assert (Hpos : 0 < norm2 N x) by lra. clear Hn H0.
      assert (Hunit : (/ sqrt (norm2 N x)) ^ 2 = / norm2 N x).
      { rewrite pow_inv, pow2_sqrt; [reflexivity | lra]. }
      assert (H : form N G (fun c => / sqrt (norm2 N x) * x c) (fun c => / sqrt (norm2 N x) * x c) <= lambda).
      { apply Hup. eexists. split; [| reflexivity]. rewrite norm2_scale, Hunit. apply Rinv_l. lra. }
      rewrite form_scaled, Hunit in H. apply (Rmult_le_reg_l (/ norm2 N x)); [apply Rinv_0_lt_compat; assumption |].
      replace (/ norm2 N x * (lambda * norm2 N x)) with lambda by (field; lra). assumption.
  - intros delta Hd. apply NNPP. intros Hno. assert (lambda <= lambda - delta); [| lra].
    apply Hleast. intros r (x & Hx & ->). apply Rnot_lt_le. intros Hlt. apply Hno. exists x. split; assumption.
Qed.

(* Cauchy-Schwarz for the form lambda ||x||^2 - x^T G x, which is nowhere negative. *)
Lemma gap_cauchy_schwarz N G lambda x y :
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) -> (forall z, form N G z z <= lambda * norm2 N z) ->
  (lambda * dot N y x - form N G y x) ^ 2 <=
  (lambda * norm2 N x - form N G x x) * (lambda * norm2 N y - form N G y y).
Proof.
  intros HG H. apply discriminant; [| specialize (H y); lra]. intros t.
  pose proof (H (fun c => x c + t * y c)) as P.
  rewrite (form_of_sum N G x (fun c => t * y c) HG), norm2_plus, norm2_scale, dot_scale_r, form_scaled,
    form_scaled_l in P.
  rewrite (dot_symmetric N x y) in P. nra.
Qed.

Theorem top_vectors N G lambda :
  (forall i j, (i < N)%nat -> (j < N)%nat -> G i j = G j i) -> is_largest N G lambda ->
  forall epsilon, 0 < epsilon ->
  exists u, norm2 N u = 1 /\ norm2 N (fun c => mat_vec N G u c - lambda * u c) <= epsilon ^ 2.
Proof.
  intros HG [Hup Hnear] epsilon He. set (F := sqrt (sum N (fun r => norm2 N (G r)))).
  set (C := Rabs lambda + F + 1).
  assert (HF : 0 <= F) by apply sqrt_pos. pose proof (Rabs_pos lambda) as HL.
  assert (HC : 0 < C) by (unfold C; lra).
  assert (Hd : 0 < epsilon ^ 2 / C) by (apply Rdiv_lt_0_compat; [apply pow_lt; assumption | assumption]).
  destruct (Hnear _ Hd) as (x & Hx & Hlt). exists x. split; [assumption |].
  set (y := fun c => mat_vec N G x c - lambda * x c).
  pose proof (gap_cauchy_schwarz N G lambda x y HG Hup) as H.
  assert (A : lambda * dot N y x - form N G y x = - norm2 N y).
  { rewrite (norm2_dot N y). unfold y at 4. rewrite (dot_minus_r N y (mat_vec N G x)), dot_scale_r. unfold form. ring. }
  rewrite A, Hx in H.
  assert (B : lambda * norm2 N y - form N G y y <= C * norm2 N y).
  { pose proof (form_bound N G y) as Q. fold F in Q. cbv zeta in Q. pose proof (norm2_nonneg N y).
    pose proof (Rle_abs lambda). pose proof (Rle_abs (- form N G y y)) as Q'. rewrite Rabs_Ropp in Q'.
    unfold C. nra. }
  pose proof (Hup x) as X. rewrite Hx in X. pose proof (norm2_nonneg N y) as Y. pose proof (Hup y) as Y'.
  assert (D : norm2 N y * norm2 N y <= epsilon ^ 2 * norm2 N y).
  { replace (epsilon ^ 2 * norm2 N y) with (epsilon ^ 2 / C * (C * norm2 N y)) by (field; lra).
    replace (norm2 N y * norm2 N y) with ((- norm2 N y) ^ 2) by ring. eapply Rle_trans; [apply H |].
    apply Rmult_le_compat; lra. }
  destruct (Req_dec (norm2 N y) 0) as [Z | Z]; [rewrite Z; apply pow2_ge_0 |].
  apply (Rmult_le_reg_r (norm2 N y)); [lra | assumption].
Qed.
