% An upper bound of ||J||_2 by the interval package of GNU Octave: tau^2 I - J J' is positive definite where its Cholesky
% factorisation in intervals goes through. The least tau of the form (1 + 10^-k) sigma, k = 12, 11, ..., 1, is found beforehand, sigma
% being the norm in double; then the product and the factorisation are timed.
%   usage: octave-cli octave_certificate.m FILE ROWS COLUMNS RUNS     FILE: from write_jacobian
% One JSON object on standard output; exit status 1 when no tau is proved.
pkg load interval
warning ("error", "chol:PD");

function proved = prove (a, tau)
  m = infsup (tau) .^ 2 .* eye (rows (a)) - infsup (a) * infsup (a)';
  proved = true;
  try
    chol (m);
  catch
    proved = false;
  end
end

words = argv ();
shape = [str2double(words{2}), str2double(words{3})];
file = fopen (words{1}, "r");
a = fread (file, shape, "double");
fclose (file);

sigma = norm (a);
k = 12;
while (k >= 1 && ! prove (a, sigma * (1 + 10 ^ -k)))
  k -= 1;
end
if (k < 1)
  exit (1);
end
tau = sigma * (1 + 10 ^ -k);
seconds = zeros (1, str2double (words{4}));
for run = 1 : numel (seconds)
  start = tic ();
  prove (a, tau);
  seconds(run) = toc (start);
end
peak = regexp (fileread ("/proc/self/status"), 'VmHWM:\s*(\d+) kB', "tokens"){1}{1};
printf ("{\"program\": \"octave interval\", \"proved\": %.17g, \"peak_memory_bytes\": %d, \"seconds\": [%s]}\n", tau, ...
        1024 * str2double (peak), ...
        strjoin (arrayfun (@(s) sprintf ("%.9g", s), seconds, "UniformOutput", false), ", "));
