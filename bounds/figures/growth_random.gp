# Growth with n of randomly initialised models of full size, with the slopes of sqrt(n) and n^(1/4), beside the law that
# the paper reports for GPT-2 layer 6.
width = 980
load 'bounds/style.gp'
files = system(sprintf("ls %s/growth_random-*_alice.csv %s/growth_random-*_agnews.csv 2>/dev/null", folder, folder))
part(file, i) = system(sprintf("basename %s .csv | cut -d _ -f %d", file, i))
model(file) = part(file, 2)[8:*] eq 'gpt2' ? 'GPT-2' : 'BERT'
name(file) = model(file) . ' layer ' . part(file, 3) . ', ' . (part(file, 4) eq 'agnews' ? 'AG NEWS' : 'Alice')
set logscale xy
set xtics (2, 4, 8, 16, 32, 64, 100)
set ytics (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2)
set xrange [1.8:110]
set yrange [0.12:2]
set xlabel 'tokens n'
set ylabel spaced('certified lower end of ||D_X f||_2 (l^2)')
set title 'Random BERT-base and GPT-2 at full size: d = 768, 12 heads'
set label '√n' at 15, 0.44 right font ',13' textcolor rgb '#888888'
set label 'n^{1/4}' at 60, 0.34 left font ',13' textcolor rgb '#888888'
plot for [i = 1:words(files)] word(files, i) using 'n':'lower' with points ls i pt 2 * i + 2 - (i > 5) * 11 ps 1.2 lw 1.6 title name(word(files, i)), \
     [2:100] 0.105 * sqrt(x) with lines ls 8 notitle, \
     [2:100] 0.145 * x**0.25 with lines ls 8 notitle, \
     [2:100] 0.445 * x**0.25 with lines ls 6 lw 1.5 title spaced('GPT-2 layer 6 in [C]: 0.445 n^{1/4}')
