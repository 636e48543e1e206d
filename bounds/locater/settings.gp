# The settings of the experiment locater in its figures: which rows of a table are of the i-th, and its name. A quick
# run has some of them.
settings = 6
penalty(i) = word('none eigenvalues eigenvalues entries entries entries', i)
strength(i) = word('0 0.1 1 1 10 100', i)
wanted(i) = i == 6 ? '0.1' : ''
of(i) = strcol('penalty') eq penalty(i) && strcol('strength') eq strength(i) && strcol('mean') eq wanted(i)
name_of(i) = i == 1 ? 'no penalty' : \
  sprintf('%s, × %s%s', i < 4 ? 'eigenvalues' : 'entries', strength(i), i == 6 ? ', mean to 0.1' : '')
look(i) = i < 6 ? i : 9
