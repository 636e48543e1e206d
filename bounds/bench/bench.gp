# Seconds against N, unmasked layers: a curve for each program and family of layers, and the floor of one factorisation.
# times: a CSV file family,mask,program,N,seconds; rate: flops a second of a matrix product.
width = 1080
height = 640
load 'bounds/style.gp'
programs = '"attcert dense" "attcert deflated" "attcert mpfr" lapack_eigenvalue lapack_singular_values power_iteration_relative power_iteration_published arb_certificate "octave interval"'
titles = '"attcert dense" "attcert deflated" "attcert mpfr" "LAPACK dsyevr" "LAPACK dgesdd" "power iteration to 1e-6" "power iteration, published" "Arb''s certificate" "Octave''s interval package"'
style = '9 3 4 1 2 5 5 6 6' # colours: attcert''s engines, then their peers
mark = '7 9 11 4 6 12 13 2 3'
# A blank line between families breaks the curve.
of(program) = sprintf("awk -F , -v OFS=, '$2 == \"none\" && $3 == \"%s\" { print $1, $4, $5 }' %s | sort -t , -k 1,1 -k 2g | awk -F , '$1 != last && NR > 1 { print \"\" } { last = $1; print $2 \",\" $3 }'", program, times)
set logscale xy
set format y '10^{%L}'
set xtics (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536) rotate by -35
set xlabel 'N, rows of the Jacobian'
set ylabel 'seconds, median'
set title 'Time of a certificate and of its peers, unmasked layers'
set key title 'program'
# Which of them were measured.
measured = ''
do for [i = 1:words(programs)] { if (strlen(system(of(word(programs, i))))) { measured = measured . ' ' . i } }
plot for [i in measured] '< ' . of(word(programs, int(i))) using 1:2 with linespoints lc rgb colour(int(word(style, int(i)))) \
       pt int(word(mark, int(i))) ps 1.1 lw 1.5 title word(titles, int(i)), \
     x**3 / 3 / rate with lines ls 8 title 'floor: N^3/3 flops, rate of GEMM'
