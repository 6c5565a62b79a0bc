package tailwind

const paintTable = `
many bg                  @color:bg                 background-color:$
many bg-opacity          @opacity []                  --tw-bg-opacity:$
many bg                  none [image]              background-image:$
many bg-gradient-to      @side                     background-image:linear-gradient(to $, var(--tw-gradient-stops))
many from                @stop                     --tw-gradient-from:$ var(--tw-gradient-from-position,);--tw-gradient-to:%clear var(--tw-gradient-to-position,);--tw-gradient-stops:var(--tw-gradient-from), var(--tw-gradient-to)
many from                @percent [len]            --tw-gradient-from-position:$
many via                 @stop                     --tw-gradient-to:%clear var(--tw-gradient-to-position,);--tw-gradient-stops:var(--tw-gradient-from), $ var(--tw-gradient-via-position,), var(--tw-gradient-to)
many via                 @percent [len]            --tw-gradient-via-position:$
many to                  @stop                     --tw-gradient-to:$ var(--tw-gradient-to-position,)
many to                  @percent [len]            --tw-gradient-to-position:$
words box-decoration- box-decoration-break  slice clone
words decoration- box-decoration-break  slice clone
many bg                  auto cover contain [size] background-size:$
words bg- background-attachment  fixed local scroll
words bg-clip- background-clip  border=border-box padding=padding-box content=content-box
one bg-clip-text         -webkit-background-clip:text;background-clip:text
many bg                  @place [position]         background-position:$
words bg- background-repeat  repeat no-repeat repeat-x repeat-y repeat-round=round repeat-space=space
words bg-origin- background-origin  border=border-box padding=padding-box content=content-box
many fill                none @paint               fill:$
many stroke              none @paint               stroke:$
many stroke              0 1 2 [len]               stroke-width:$
words object- object-fit  contain cover fill none scale-down
many object              @place []                 object-position:$
many p                   @spacing []            padding:$
many px                  @spacing []            padding-left:$;padding-right:$
many py                  @spacing []            padding-top:$;padding-bottom:$
many ps                  @spacing []            padding-inline-start:$
many pe                  @spacing []            padding-inline-end:$
many pt                  @spacing []            padding-top:$
many pr                  @spacing []            padding-right:$
many pb                  @spacing []            padding-bottom:$
many pl                  @spacing []            padding-left:$
words text- text-align   left center right justify start end
many -indent             @spacing []            text-indent:$
many align               baseline top middle bottom text-top text-bottom sub super []  vertical-align:$
one font-sans            font-family:var(--sans)
one font-serif           font-family:ui-serif, Georgia, Cambria, "Times New Roman", Times, serif
one font-mono            font-family:var(--mono)
many text                @textsize                 $
words font- font-weight  thin=100 extralight=200 light=300 normal=400 medium=500 semibold=600 bold=700 extrabold=800 black=900
many font                [int]                     font-weight:$
words - text-transform   uppercase lowercase capitalize normal-case=none
words - font-style       italic not-italic=normal
one normal-nums          font-variant-numeric:normal
one ordinal              --tw-ordinal:ordinal;{numeric}
one slashed-zero         --tw-slashed-zero:slashed-zero;{numeric}
one lining-nums          --tw-numeric-figure:lining-nums;{numeric}
one oldstyle-nums        --tw-numeric-figure:oldstyle-nums;{numeric}
one proportional-nums    --tw-numeric-spacing:proportional-nums;{numeric}
one tabular-nums         --tw-numeric-spacing:tabular-nums;{numeric}
one diagonal-fractions   --tw-numeric-fraction:diagonal-fractions;{numeric}
one stacked-fractions    --tw-numeric-fraction:stacked-fractions;{numeric}
many leading             3=.75rem 4=1rem 5=1.25rem 6=1.5rem 7=1.75rem 8=2rem 9=2.25rem 10=2.5rem none=1 tight=1.25 snug=1.375 normal=1.5 relaxed=1.625 loose=2 []  line-height:$
many -tracking           tighter=-0.05em tight=-0.025em normal=0em wide=0.025em wider=0.05em widest=0.1em []  letter-spacing:$
many text                @color:text               color:$
many text-opacity        @opacity []                  --tw-text-opacity:$
words - text-decoration-line  underline overline line-through no-underline=none
many decoration          @paint                    text-decoration-color:$
words decoration- text-decoration-style  solid double dotted dashed wavy
many decoration          auto from-font 0=0px 1=1px 2=2px 4=4px 8=8px [len]  text-decoration-thickness:$
many underline-offset    auto 0=0px 1=1px 2=2px 4=4px 8=8px []  text-underline-offset:$
one antialiased          -webkit-font-smoothing:antialiased;-moz-osx-font-smoothing:grayscale
one subpixel-antialiased -webkit-font-smoothing:auto;-moz-osx-font-smoothing:auto
many placeholder         @color:placeholder        ::placeholder color:$
many placeholder-opacity @opacity []                  ::placeholder --tw-placeholder-opacity:$
many caret               @paint                    caret-color:$
many accent              auto @paint               accent-color:$
one prose                max-width:65ch
one prose-sm             font-size:.875rem;line-height:1.7142857
one prose-base           font-size:1rem;line-height:1.75
one prose-lg             font-size:1.125rem;line-height:1.7777778
one prose-xl             font-size:1.25rem;line-height:1.8
one prose-2xl            font-size:1.5rem;line-height:1.6666667
`
