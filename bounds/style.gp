# The look of all figures: loaded first by bounds/figures/NAME.gp, which gnuplot is given with folder and output_file set. png=1
# draws a PNG instead of an SVG file; width and height are its size.
# Colours: M. Okabe, K. Ito, Color Universal Design (2008), distinct under every common colour blindness; each series has its
# own point shape and dashes too. Line styles 1 to 7: series; 8: guides; 9: what is certified.
if (!exists('width')) width = 900
if (!exists('height')) height = 560
if (exists('png')) set terminal pngcairo size width,height font 'sans,13'; else \
  set terminal svg size width,height background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
set encoding utf8
set output output_file
set datafile separator ','
set datafile commentschars '#'
set key outside right top vertical Left reverse spacing 1.25 samplen 2.2 font ',14'
set grid lc rgb '#dddddd' lw 1 dt solid
set border lw 1.2 lc rgb '#444444'
set tics nomirror font ',14'
set title font ',16'
set xlabel font ',15'
set ylabel font ',15'
set pointsize 0.8

set style line 1 lc rgb '#D55E00' lw 2.5 dt solid pt 4
set style line 2 lc rgb '#E69F00' lw 2.5 dt (12,5) pt 6
set style line 3 lc rgb '#009E73' lw 2.5 dt (12,4,3,4) pt 8
set style line 4 lc rgb '#CC79A7' lw 2.5 dt (6,4) pt 10
set style line 5 lc rgb '#56B4E9' lw 2.5 dt (16,4,3,4,3,4) pt 12
set style line 6 lc rgb '#000000' lw 2.0 dt solid pt 5
set style line 7 lc rgb '#F0E442' lw 3.0 dt solid pt 13
set style line 8 lc rgb '#888888' lw 2.0 dt (3,4)
set style line 9 lc rgb '#0072B2' lw 2.0 dt solid pt 7
colour(i) = word('#D55E00 #E69F00 #009E73 #CC79A7 #56B4E9 #000000 #F0E442 #888888 #0072B2', i)

# The text with spaces that stay: an SVG file loses one beside a subscript or superscript.
spaced(s) = strstrt(s, ' ') == 0 ? s : s[1:strstrt(s, ' ') - 1] . "\302\240" . spaced(s[strstrt(s, ' ') + 1:*])
