package tailwind

const boxTable = `
words list- list-style-position  inside outside
many list                none disc decimal []      list-style-type:$
one list-image-none      list-style-image:none
one appearance-none      appearance:none
one appearance-auto      appearance:auto
many columns             @1to12 auto 3xs=16rem 2xs=18rem xs=20rem sm=24rem md=28rem lg=32rem xl=36rem 2xl=42rem 3xl=48rem 4xl=56rem 5xl=64rem 6xl=72rem 7xl=80rem []  columns:$
words break-before- break-before  auto avoid all avoid-page page left right column
words break-inside- break-inside  auto avoid avoid-page avoid-column
words break-after- break-after  auto avoid all avoid-page page left right column
many auto-cols           auto min=min-content max=max-content fr=minmax(0,_1fr) []  grid-auto-columns:$
words grid-flow- grid-auto-flow  row col=column dense row-dense=row_dense col-dense=column_dense
many auto-rows           auto min=min-content max=max-content fr=minmax(0,_1fr) []  grid-auto-rows:$
many grid-cols           @repeat12 none subgrid [] grid-template-columns:$
many grid-rows           @repeat12 none subgrid [] grid-template-rows:$
words flex- flex-direction  row row-reverse col=column col-reverse=column-reverse
words flex- flex-wrap    wrap wrap-reverse nowrap
words place-content- place-content  center start end between=space-between around=space-around evenly=space-evenly baseline stretch
words place-items- place-items  start end center baseline stretch
words content- align-content  normal center start=flex-start end=flex-end between=space-between around=space-around evenly=space-evenly baseline stretch
words items- align-items  start=flex-start end=flex-end center baseline stretch
words justify- justify-content  normal start=flex-start end=flex-end center between=space-between around=space-around evenly=space-evenly stretch
words justify-items- justify-items  start end center stretch normal
many gap                 @spacing []            gap:$
many gap-x               @spacing []            column-gap:$
many gap-y               @spacing []            row-gap:$
many -space-x            @spacing []            > --tw-space-x-reverse:0;margin-right:calc($ * var(--tw-space-x-reverse));margin-left:calc($ * calc(1 - var(--tw-space-x-reverse)))
many -space-y            @spacing []            > --tw-space-y-reverse:0;margin-top:calc($ * calc(1 - var(--tw-space-y-reverse)));margin-bottom:calc($ * var(--tw-space-y-reverse))
one space-x-reverse      > --tw-space-x-reverse:1
one space-y-reverse      > --tw-space-y-reverse:1
many divide-x            @edge []               > {border}--tw-divide-x-reverse:0;border-right-width:calc($ * var(--tw-divide-x-reverse));border-left-width:calc($ * calc(1 - var(--tw-divide-x-reverse)))
many divide-y            @edge []               > {border}--tw-divide-y-reverse:0;border-top-width:calc($ * calc(1 - var(--tw-divide-y-reverse)));border-bottom-width:calc($ * var(--tw-divide-y-reverse))
one divide-x-reverse     > --tw-divide-x-reverse:1
one divide-y-reverse     > --tw-divide-y-reverse:1
many divide              solid dashed dotted double none  > border-style:$
many divide              @color:divide             > border-color:$
many divide-opacity      @opacity []                  > --tw-divide-opacity:$
words place-self- place-self  auto start end center stretch
words self- align-self   auto start=flex-start end=flex-end center stretch baseline
words justify-self- justify-self  auto start end center stretch
many overflow            auto hidden clip visible scroll  overflow:$
many overflow-x          auto hidden clip visible scroll  overflow-x:$
many overflow-y          auto hidden clip visible scroll  overflow-y:$
many overscroll          auto contain none         overscroll-behavior:$
many overscroll-x        auto contain none         overscroll-behavior-x:$
many overscroll-y        auto contain none         overscroll-behavior-y:$
words scroll- scroll-behavior  auto smooth
one truncate             overflow:hidden;text-overflow:ellipsis;white-space:nowrap
one overflow-ellipsis    text-overflow:ellipsis
one text-ellipsis        text-overflow:ellipsis
one text-clip            text-overflow:clip
words hyphens- hyphens   none manual auto
words whitespace- white-space  normal nowrap pre pre-line pre-wrap break-spaces
words text- text-wrap    wrap nowrap balance pretty
one break-normal         overflow-wrap:normal;word-break:normal
one break-words          overflow-wrap:break-word
one break-all            word-break:break-all
one break-keep           word-break:keep-all
many rounded             @radius []                   border-radius:$
many rounded-s           @radius []                   border-start-start-radius:$;border-end-start-radius:$
many rounded-e           @radius []                   border-start-end-radius:$;border-end-end-radius:$
many rounded-t           @radius []                   border-top-left-radius:$;border-top-right-radius:$
many rounded-r           @radius []                   border-top-right-radius:$;border-bottom-right-radius:$
many rounded-b           @radius []                   border-bottom-right-radius:$;border-bottom-left-radius:$
many rounded-l           @radius []                   border-top-left-radius:$;border-bottom-left-radius:$
many rounded-ss          @radius []                   border-start-start-radius:$
many rounded-se          @radius []                   border-start-end-radius:$
many rounded-ee          @radius []                   border-end-end-radius:$
many rounded-es          @radius []                   border-end-start-radius:$
many rounded-tl          @radius []                   border-top-left-radius:$
many rounded-tr          @radius []                   border-top-right-radius:$
many rounded-br          @radius []                   border-bottom-right-radius:$
many rounded-bl          @radius []                   border-bottom-left-radius:$
many border              @edge [len]               {border}border-width:$
many border-x            @edge [len]               {border}border-left-width:$;border-right-width:$
many border-y            @edge [len]               {border}border-top-width:$;border-bottom-width:$
many border-s            @edge [len]               {border}border-inline-start-width:$
many border-e            @edge [len]               {border}border-inline-end-width:$
many border-t            @edge [len]               {border}border-top-width:$
many border-r            @edge [len]               {border}border-right-width:$
many border-b            @edge [len]               {border}border-bottom-width:$
many border-l            @edge [len]               {border}border-left-width:$
words border- border-style  solid dashed dotted double hidden none
many border              @color:border             border-color:$
many border-x            @color:border             border-left-color:$;border-right-color:$
many border-y            @color:border             border-top-color:$;border-bottom-color:$
many border-s            @color:border             border-inline-start-color:$
many border-e            @color:border             border-inline-end-color:$
many border-t            @color:border             border-top-color:$
many border-r            @color:border             border-right-color:$
many border-b            @color:border             border-bottom-color:$
many border-l            @color:border             border-left-color:$
many border-opacity      @opacity []                  --tw-border-opacity:$
`
