# Growth with n of randomly initialised models of full size, beside the law that the paper reports for GPT-2 layer 6.
width = 980
load 'bounds/style.gp'
files = system(sprintf("ls %s/growth_random-*_alice.csv %s/growth_random-*_agnews.csv 2>/dev/null", folder, folder))
part(file, i) = system(sprintf("basename %s .csv | cut -d _ -f %d", file, i))
name(file) = part(file, 2)[8:*] . ' ' . part(file, 3) . ', ' . (part(file, 4) eq 'agnews' ? 'AG NEWS' : 'Alice')
set logscale xy
set xtics (2, 4, 8, 16, 32, 64, 100)
set ytics (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2)
set xrange [1.8:110]
set yrange [0.12:2]
set xlabel 'tokens n'
set ylabel 'certified lower end of ||D_X f||_2 (l^2)'
set title 'Random BERT-base and GPT-2 at full size: d = 768, 12 heads'
set key title 'model layer, text'
plot for [i = 1:words(files)] word(files, i) using 'n':'lower' with points ls i ps 1.1 lw 2 title name(word(files, i)), \
     0.445 * x**0.25 with lines ls 8 title 'gpt2 6 in [C]: 0.445 n^{0.25}'
