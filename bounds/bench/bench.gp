# Seconds against N, unmasked layers: a panel for each family of layers of more than one size, a curve for each program,
# and the floor of one factorisation.
# times: a CSV file family,mask,program,N,seconds; rate: flops a second of a matrix product.
width = 1180
height = 540
load 'bounds/style.gp'
programs = '"attcert dense" "attcert deflated" "attcert random" "attcert mpfr" lapack_eigenvalue lapack_singular_values power_iteration_relative power_iteration_published arb_certificate "octave interval"'
titles = '"attcert dense" "attcert deflated" "attcert random, to 1 %" "attcert mpfr" "LAPACK dsyevr" "LAPACK dgesdd" "power iteration to 1e-6" "power iteration, published" "Arb''s certificate" "Octave''s interval package"'
style = '9 3 6 4 1 2 5 5 8 8' # colours: attcert's engines, then their peers
mark = '7 9 5 11 4 6 12 13 2 3'
# Quoted names of the families of at least `sizes` sizes.
several(sizes) = system(sprintf("awk -F , 'NR > 1 && $2 == \"none\" && !seen[$1, $4]++ { count[$1]++ } END { for (f in count) if (count[f] >= %d) print f }' %s | sort | sed 's/.*/\"&\"/' | tr '\n' ' '", sizes, times))
families = several(2)
if (words(families) == 0) families = several(1)
of(family, program) = sprintf("awk -F , '$1 == \"%s\" && $2 == \"none\" && $3 == \"%s\" { print $4 \",\" $5 }' %s | sort -t , -k 1g", family, program, times)
set logscale xy
set offsets graph 0.08, graph 0.08, 0, 0
set format y '10^{%L}'
set yrange [1e-4:1e3]
set xlabel 'N, rows of the Jacobian'
set multiplot layout 1,words(families) margins screen 0.07,0.765,0.19,0.85 spacing screen 0.02 \
  title 'Time of a certificate and of its peers, unmasked layers' font ',18'
set xtics rotate by -35 (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288)
unset key
do for [f = 1:words(families)] {
  family = word(families, f)
  measured = ''
  do for [i = 1:words(programs)] { if (strlen(system(of(family, word(programs, i)))) > 0) { measured = measured . ' ' . i } }
  set title family
  set ylabel (f == 1 ? 'seconds, median' : '')
  set format y (f == 1 ? '10^{%L}' : '')
  plot for [i in measured] '< ' . of(family, word(programs, int(i))) using 1:2 with linespoints \
         lc rgb colour(int(word(style, int(i)))) pt int(word(mark, int(i))) ps 1.1 lw 1.5, \
       x**3 / 3 / rate with lines ls 8
}
# the key, in a panel without anything else
set margins screen 0.77, screen 0.99, screen 0.2, screen 0.9
set title ''; set xlabel ''; set ylabel ''
unset offsets
unset border; unset tics; unset grid
set key at screen 0.775, screen 0.87 top left Left reverse spacing 1.4 samplen 2.4
plot for [i = 1:words(programs)] NaN with linespoints lc rgb colour(int(word(style, i))) pt int(word(mark, i)) ps 1.1 lw 1.5 \
       title word(titles, i), \
     NaN with lines ls 8 title spaced('floor: N^3/3 flops')
unset multiplot
